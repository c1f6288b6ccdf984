import type { Context } from "#server/context";
import { fulfilRequest } from "#server/faction/banking/close-request";
import { requestWithdrawal } from "#server/faction/banking/request-withdrawal";
import type { BankingPlayer } from "#server/faction/banking/show-banking";
import { refreshCrimes } from "#server/faction/crimes/refresh-crimes";
import { syncSchedules } from "#server/faction/sync-schedules";
import { isGameCallError } from "#server/game/game-call-error";
import { hourMs, minuteMs } from "#server/platform/time";
import { enrolPlayer } from "#server/users/enrol-player";
import { pickKey } from "#server/users/keys/pick-key";
import { refreshPlayer } from "#server/users/refresh-player";
import { type DemoPerson, demoFactions, demoPeople, demoPerson } from "#simulator/demo-people";
import type { SimulatorControl } from "#simulator/journal";
import { demoOrigin } from "./demo-world";
import { findAccountId, findNewestRequest, listFighters, listHeldUpCrew } from "./store";

/** The product with the simulated game that it plays against. */
export interface Demo {
  readonly ctx: Context;
  readonly game: SimulatorControl;
}

const [home, rivals] = demoFactions;

function oneOf<Item>(ctx: Context, list: readonly Item[]): Item | undefined {
  return list[Number.parseInt(ctx.ids.uuid().slice(-6), 16) % Math.max(1, list.length)];
}

/**
 * A rival hits a member of the demo faction, who can answer for five minutes. Who it is falls to chance where nobody is named.
 * @returns whether there was anybody to hit
 */
export async function hitMember(
  { ctx, game }: Demo,
  named: { readonly attackerId?: number; readonly defenderId?: number } = {},
): Promise<boolean> {
  const on = ctx.database.query;
  const attackerId = named.attackerId ?? oneOf(ctx, await listFighters(on, rivals.factionId));
  const defenderId = named.defenderId ?? oneOf(ctx, await listFighters(on, home.factionId));
  if (!attackerId || !defenderId) return false;
  game.attack({ attackerId, defenderId, result: "Attacked" });
  return true;
}

/** How long the member that a crime waits for lies in hospital. */
const heldUpMs = 50 * minuteMs;
const crew = 3;

/**
 * A crime of the demo faction is ready, and one of its crew lies in hospital. The faction's crimes are read at once, since their
 * job does it every five minutes only.
 * @returns whether there was a crew
 */
export async function holdUpCrime({ ctx, game }: Demo): Promise<boolean> {
  const fighters = await listFighters(ctx.database.query, home.factionId);
  // A member who joins another crime leaves the waiting one, which would end with it.
  const waiting = await listHeldUpCrew(ctx.database.query, home.factionId);
  const others = fighters.filter(
    (playerId) =>
      !waiting.includes(playerId) && !demoPeople.some((person) => person.playerId === playerId),
  );
  const first = Math.max(0, others.indexOf(oneOf(ctx, others.slice(0, 1 - crew)) ?? 0));
  const memberIds = others.slice(first, first + crew);
  const [late] = memberIds;
  if (!late || memberIds.length < crew) return false;
  const until = new Date(ctx.now().getTime() + heldUpMs);
  game.setPlayer({ playerId: late, status: { state: "Hospital", until } });
  game.addCrime({ factionId: home.factionId, memberIds, readyIn: -60 });
  game.clearCache();
  const key = await pickKey(ctx, { of: "faction", factionId: home.factionId });
  if (key)
    await refreshCrimes(ctx, home.factionId, {
      key,
      priority: "high",
      calls: syncSchedules.crimes.mostCalls,
    });
  return true;
}

const asPlayer = async ({ ctx }: Demo, role: DemoPerson["role"]): Promise<BankingPlayer> => {
  const { playerId } = demoPerson(role);
  return {
    playerId,
    accountId: await findAccountId(ctx.database.query, playerId),
    origin: demoOrigin,
  };
};

/** The amount of one request, and the balance that is made up where it does not cover it. */
const amount = 750_000;
const balance = 7_350_000;

/** Somebody of the demo faction asks for money, the plain member if nobody is named. @throws what a request is refused with */
export async function askForMoney(demo: Demo, role: DemoPerson["role"] = "member"): Promise<void> {
  const { ctx, game } = demo;
  const player = await asPlayer(demo, role);
  const { factionId } = home;
  if (game.oracle({ playerId: player.playerId }).money < 3 * amount)
    game.setBalance({ factionId, playerId: player.playerId, money: balance });
  const expiresAt = new Date(ctx.now().getTime() + hourMs);
  await requestWithdrawal(ctx, player, { factionId, amount, currency: "money_balance", expiresAt });
}

/**
 * The demo faction's banker pays what somebody waits for, the plain member if nobody is named: in the game, and then here.
 * @returns whether anything was waiting
 */
export async function payMember(demo: Demo, role: DemoPerson["role"] = "member"): Promise<boolean> {
  const { ctx, game } = demo;
  const { playerId } = await asPlayer(demo, role);
  const newest = await findNewestRequest(ctx.database.query, playerId);
  if (newest?.status !== "pending") return false;
  const banker = await asPlayer(demo, "banker");
  game.giveFunds({
    factionId: home.factionId,
    by: banker.playerId,
    to: playerId,
    money: newest.amount,
  });
  game.clearCache();
  await fulfilRequest(ctx, banker, { request: newest.guid });
  return true;
}

/** Somebody deletes their key in the game. It is tried at once, since its job does it every hour only: the refusal is told them. */
export async function deleteKey(
  { ctx, game }: Demo,
  { playerId, key: text }: DemoPerson,
): Promise<void> {
  game.deleteKey({ key: text });
  game.clearCache();
  const key = await pickKey(ctx, { of: "player", playerId });
  if (!key) return;
  await refreshPlayer(ctx, { playerId, key, priority: "high" }).catch((error: unknown) => {
    if (!isGameCallError(error)) throw error;
  });
}

/** Makes the same key again in the game, and brings it here as its owner would. */
export async function remakeKey({ ctx, game }: Demo, { playerId, key }: DemoPerson): Promise<void> {
  game.createKey({ playerId, key, level: 3 });
  game.clearCache();
  const info = await ctx.game.keyInfo(key);
  await enrolPlayer(ctx, { gameKey: key, info, turnOn: "lendsKey", origin: demoOrigin });
}
