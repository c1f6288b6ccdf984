import { asc, eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { chatMessages, chatServerFactions, chatServers } from "#db/schema/chat";
import { factionPositions, vaultRequests } from "#db/schema/faction";
import { factions, players } from "#db/schema/players";
import { requestWithdrawal, type Withdrawal } from "#server/faction/banking/request-acts";
import { routes } from "#server/routes";
import { dispatchWorld, type TestCall } from "./dispatch-world";
import { enrol } from "./enrol";
import { testContext } from "./test-context";

export const lanternwatch = 7001;
export const copperTide = 7002;
/** Above 2^53, so that a JavaScript number would round them. */
export const bankingServer = 1_234_567_890_123_456_789n;
export const bankingChannel = 2_234_567_890_123_456_781n;
export const bankingRole = 3_234_567_890_123_456_783n;

type Role = "developer" | "banker" | "member" | "outsider" | "loner";

/**
 * The demo faction with a banker, a plain member and an officer with a key that reads the vault,
 * linked to a chat server with banking; and outsiders. The member's balance is 7,350,000 and 420
 * points.
 */
export async function bankingWorld(database: Database) {
  const world = await testContext({ database });
  const { ctx, clock, simulator } = world;
  const people = {
    developer: await enrol(ctx, "developer"),
    banker: await enrol(ctx, "banker"),
    member: await enrol(ctx, "member"),
    outsider: await enrol(ctx, "outsider"),
    loner: await enrol(ctx, "loner"),
  };
  const on = database.query;
  const position = async (factionId: number, name: string, abilities: string[]) => {
    const row = {
      id: ctx.ids.uuid(),
      factionId,
      name,
      isDefault: false,
      abilities,
      lastSeen: ctx.now(),
    };
    await on
      .insert(factionPositions)
      .values(row)
      .onConflictDoUpdate({
        target: [factionPositions.factionId, factionPositions.name],
        set: { abilities },
      });
  };
  await position(lanternwatch, "Banker", ["Money Giving", "Points Giving", "Faction API Access"]);
  await position(lanternwatch, "Officer", ["Faction API Access"]);
  await position(lanternwatch, "Member", []);
  await position(copperTide, "Banker", ["Money Giving", "Points Giving", "Faction API Access"]);
  await position(copperTide, "Member", []);

  await on
    .insert(chatServers)
    .values({ id: bankingServer, name: "The Hall", lastRefresh: ctx.now() });
  const link = async (factionId: number, server: bigint | null) => {
    const row = { id: factionId, name: `Faction ${factionId}`, chatServerId: server };
    await on
      .insert(factions)
      .values(row)
      .onConflictDoUpdate({ target: factions.id, set: { chatServerId: server } });
  };
  await link(lanternwatch, bankingServer);
  await on.insert(chatServerFactions).values({
    ...{ serverId: bankingServer, factionId: lanternwatch },
    ...{ bankingChannelId: bankingChannel, bankingRoleIds: [bankingRole] },
  });

  const wire = dispatchWorld(ctx, routes);
  for (const [role, { accountId, playerId }] of Object.entries(people))
    wire.know(role, { accountId, playerId, scopes: ["faction:banking", "service_key:usage"] });

  return {
    ...{ ...world, people, wire, position, link },
    api: (role: Role | (string & {}), path: string, call: TestCall = {}) =>
      wire.call(`/api/v1${path}`, { token: role, ...call }),
    ask: (requested: Partial<Withdrawal> = {}, role: Role = "member") =>
      requestWithdrawal(ctx, people[role], {
        ...{ factionId: lanternwatch, amount: 1_000, currency: "money_balance", expiresAt: null },
        ...requested,
      }),
    stored: () => on.select().from(vaultRequests).orderBy(asc(vaultRequests.id)),
    /** Ends the search for payments as if the vault's news had no match. */
    payUnseen: async () =>
      void (await on
        .update(vaultRequests)
        .set({ verification: "unverified" })
        .where(eq(vaultRequests.status, "fulfilled"))),
    forgetRequests: async () => void (await on.delete(vaultRequests)),
    place: async (role: Role, to: { positionName?: string; factionId?: number | null }) =>
      void (await on.update(players).set(to).where(eq(players.id, people[role].playerId))),
    message: async (subject: string) => {
      const [row] = await on.select().from(chatMessages).where(eq(chatMessages.subject, subject));
      return row;
    },
    /** Resets rate limits and the game cache. */
    nextMinute: () => {
      // Whole minutes, and more than the 64 seconds of a call's window.
      clock.advance(120);
      simulator.control.clearFaults();
      simulator.control.clearCache();
    },
  };
}
