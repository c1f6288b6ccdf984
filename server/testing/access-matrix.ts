import { and, eq, gt, inArray, notInArray } from "drizzle-orm";
import { accounts } from "#db/schema/accounts";
import { vaultRequests } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import type { PortalUser } from "#server/actor";
import { recordEvents } from "#server/event-log/record-events";
import { retaliationOpened } from "#server/faction/events";
import { apiPrefix } from "#server/machine-path";
import { compileDispatch } from "#server/rest/dispatch";
import { routes } from "#server/routes";
import { copperTide, lanternwatch } from "./banking-world";
import type { testDatabase } from "./database";
import { readAnswer, type TestAnswer } from "./dispatch-world";
import { mintApplication, mintTokens } from "./oauth-world";
import { populatedWorld } from "./populated-world";
import { portalUser } from "./world";

/** All but the last four belong to Lanternwatch. */
export const roles = [
  ...(["banker", "member", "leader", "coLeader", "orphan"] as const),
  ...(["mover", "outsider", "leaver", "loner"] as const),
] as const;
export type Role = (typeof roles)[number];

export const missingFaction = 2_147_483_647;

/**
 * Two factions with secrets, and players in every relation to the first, among them one with a
 * deleted position, one with a cached position of the former faction, and one that just left. Each
 * has a real token with all scopes.
 */
export async function accessMatrix(database: Awaited<ReturnType<typeof testDatabase>>) {
  const world = await populatedWorld(database);
  const { ctx, people, clock, simulator } = world;
  const on = ctx.database.query;
  const dispatch = compileDispatch(routes, { prefix: apiPrefix });
  await world.position(lanternwatch, "Treasurer", [
    "Money Giving",
    "Points Giving",
    "Balance Adjustment",
  ]);

  const demo = Object.values(people).map(({ playerId }) => playerId);
  const spare = await on
    .select({ id: players.id })
    .from(players)
    .where(
      and(eq(players.factionId, lanternwatch), notInArray(players.id, demo), gt(players.id, 0)),
    )
    .orderBy(players.id)
    .limit(5);
  const ids = spare.map(({ id }) => id);
  const [leader = 0, coLeader = 0, orphan = 0, mover = 0, leaver = 0] = ids;
  const playerIds: Record<Role, number> = {
    ...{
      banker: people.banker.playerId,
      member: people.member.playerId,
      outsider: people.outsider.playerId,
    },
    ...{ loner: people.loner.playerId, leader, coLeader, orphan, mover, leaver },
  };
  await on.update(players).set({ positionName: "Member" }).where(inArray(players.id, ids));
  await on.update(players).set({ positionName: "Leader" }).where(eq(players.id, leader));
  await on.update(players).set({ positionName: "Deleted" }).where(eq(players.id, orphan));
  const seen = new Date(clock.now().getTime() + 1_000);
  await on
    .update(factions)
    .set({ leaderId: leader, coLeaderId: coLeader, lastRefresh: seen })
    .where(eq(factions.id, lanternwatch));
  for (const role of roles)
    simulator.control.setBalance({
      factionId: lanternwatch,
      playerId: playerIds[role],
      money: 1_000,
      points: 100,
    });

  const request = async (factionId: number, playerId: number, amount: number) => {
    const guid = ctx.ids.uuid();
    const row = { guid, factionId, playerId, amount, requestedAt: clock.now() };
    const [made] = await on
      .insert(vaultRequests)
      .values({ ...row, currency: "money_balance", status: "pending" })
      .returning({ id: vaultRequests.id });
    return { id: made?.id ?? 0, guid };
  };
  const leaversOwn = await request(lanternwatch, leaver, 131_313);
  const foreign = await request(copperTide, people.outsider.playerId, 979_797);
  const moversOwn = await request(lanternwatch, mover, 141_414);

  const tokens = new Map<Role, string>();
  const owner = await signedUp(people.developer.playerId);
  const app = await mintApplication(ctx, owner, {
    scopes: ["identity", "faction", "service_key:usage"],
  });
  for (const role of roles) {
    const user = await signedUp(playerIds[role]);
    const { access_token } = await mintTokens(ctx, app, {
      user,
      scopes: ["identity", "faction", "service_key:usage"],
    });
    tokens.set(role, access_token);
  }
  // Logs hits before any of them leaves.
  clock.advance(1);
  await recordEvents(ctx, on, [
    { type: retaliationOpened, subject: "hit-on-Watch", factionId: lanternwatch },
    { type: retaliationOpened, subject: "hit-on-Tide", factionId: copperTide },
  ]);
  await ctx.settled();
  // They leave after their tokens were issued.
  const copper = { factionId: copperTide, positionName: "Treasurer", factionSince: clock.now() };
  await on.update(players).set(copper).where(eq(players.id, mover));
  await on.update(players).set({ factionId: null }).where(eq(players.id, leaver));

  async function signedUp(playerId: number): Promise<PortalUser> {
    const [known] = await on
      .select({ id: accounts.id })
      .from(accounts)
      .where(eq(accounts.playerId, playerId));
    const accountId = known?.id ?? ctx.ids.uuid();
    if (!known)
      await on.insert(accounts).values({ id: accountId, playerId, createdAt: clock.now() });
    return portalUser(ctx, { accountId, playerId });
  }

  const call = async (
    role: Role,
    path: string,
    sent: { method?: string; body?: unknown } = {},
  ): Promise<TestAnswer> => {
    const { method = "GET", body } = sent;
    const headers = {
      authorization: `Bearer ${tokens.get(role)}`,
      "content-type": "application/json",
    };
    const text = body === undefined ? null : JSON.stringify(body);
    const asked = new Request(`http://any.host${apiPrefix}${path}`, {
      method,
      headers,
      body: text,
    });
    return readAnswer(await dispatch(ctx, asked, { address: "192.0.2.1" }));
  };
  return { ...world, playerIds, call, request, foreign, leaversOwn, moversOwn };
}
