import type { Context } from "#server/context";
import { fulfilRequest, requestWithdrawal } from "#server/faction/banking/request-acts";
import { refreshCrimes } from "#server/faction/crimes/refresh-crimes";
import { syncSchedules } from "#server/faction/sync-schedules";
import { isGameCallError } from "#server/game/game-call-error";
import { hourMs, minuteMs } from "#server/platform/time";
import { enrolPlayer } from "#server/users/enrol-player";
import { pickKey } from "#server/users/keys/pick-key";
import { refreshPlayer } from "#server/users/refresh-player";
import { type DemoPerson, demoFactions, demoPeople, demoPersonOf } from "#simulator/demo-people";
import type { SimulatorControl } from "#simulator/simulator";
import { demoPlayerOf, demoRequestSource } from "./demo-user";
import { findNewestVaultRequest, listFighterIds } from "./store";

export interface DemoContext {
  readonly ctx: Context;
  readonly game: SimulatorControl;
}

const [home, rivals] = demoFactions;

function oneOf<Item>(ctx: Context, list: readonly Item[]): Item | undefined {
  return list[Number.parseInt(ctx.ids.uuid().slice(-6), 16) % Math.max(1, list.length)];
}

/** @returns false without an available member */
export async function hitMember(
  { ctx, game }: DemoContext,
  named: { readonly attackerId?: number; readonly defenderId?: number } = {},
): Promise<boolean> {
  const on = ctx.database.query;
  const attackerId = named.attackerId ?? oneOf(ctx, await listFighterIds(on, rivals.factionId));
  const defenderId = named.defenderId ?? oneOf(ctx, await listFighterIds(on, home.factionId));
  if (!attackerId || !defenderId) return false;
  game.attack({ attackerId, defenderId, result: "Attacked" });
  return true;
}

const heldUpMs = 50 * minuteMs;
const crew = 3;

/** The crime is read at once, without waiting for the job. @returns false without a crew */
export async function holdUpCrime({ ctx, game }: DemoContext): Promise<boolean> {
  const fighters = await listFighterIds(ctx.database.query, home.factionId);
  // A member that joins another crime ends the waiting crime.
  const waiting = game.waitingCrew({ factionId: home.factionId });
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

const amount = 750_000;
const balance = 7_350_000;

export async function askForMoney(
  { ctx, game }: DemoContext,
  role: DemoPerson["role"] = "member",
): Promise<void> {
  const player = await demoPlayerOf(ctx, role);
  const { factionId } = home;
  if (game.oracle({ playerId: player.playerId }).money < 3 * amount)
    game.setBalance({ factionId, playerId: player.playerId, money: balance });
  const expiresAt = new Date(ctx.now().getTime() + hourMs);
  await requestWithdrawal(ctx, player, { factionId, amount, currency: "money_balance", expiresAt });
}

/** Pays in the game first, then here. @returns false without a pending request */
export async function payMember(
  { ctx, game }: DemoContext,
  role: DemoPerson["role"] = "member",
): Promise<boolean> {
  const { playerId } = demoPersonOf(role);
  const newest = await findNewestVaultRequest(ctx.database.query, playerId);
  if (newest?.status !== "pending") return false;
  const banker = await demoPlayerOf(ctx, "banker");
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

/** The key is tested at once, because the job runs only hourly. The owner gets a notice. */
export async function deleteKey(
  { ctx, game }: DemoContext,
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

export async function remakeKey(
  { ctx, game }: DemoContext,
  { playerId, key }: DemoPerson,
): Promise<void> {
  game.createKey({ playerId, key, level: 3 });
  game.clearCache();
  const info = await ctx.game.keyInfo(key);
  await enrolPlayer(ctx, { gameKey: key, info, turnOn: "lendsKey", from: demoRequestSource });
}
