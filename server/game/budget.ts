import type { Database } from "#db/client";
import { secondMs } from "#server/platform/time";
import { gameCallError } from "./game-call-error";
import {
  type CallWindow,
  countCalls,
  fillWindow,
  readWindows,
  slotSeconds,
  slotsCounted,
  sumWindows,
} from "./store";

/**
 * Why the game is asked: because somebody waits for the answer, because rights hang on it, to keep data fresh, or because
 * somebody waits who may ask as often as they like with the keys of others.
 */
export type Priority = "user" | "high" | "background" | "guest";

/** Where calls are counted: one database for web and worker and all instances. */
export interface BudgetPlace {
  readonly database: Database;
  readonly now: () => Date;
}

/** Calls in any 60 seconds per player over all their keys. The game allows 100; the rest is left to the player's other tools. */
const callsPerMinute = 60;

/**
 * How much of the budget each priority may fill: the last 30 % are for those who wait. A guest fills less than any job, so that
 * nobody who polls can stop what the key's owner lends the key for.
 */
const shares: Readonly<Record<Priority, number>> = {
  user: 1,
  high: 0.7,
  background: 0.5,
  guest: 0.45,
};

const limitOf = (priority: Priority) => Math.round(callsPerMinute * shares[priority]);

/** @returns the calls left now at this priority for each of the players, never below 0; one statement for all of them */
export async function callsLeftOfEach(
  place: BudgetPlace,
  playerIds: readonly number[],
  priority: Priority,
): Promise<ReadonlyMap<number, number>> {
  const windows = await readWindows(place.database.query, playerIds);
  const now = place.now();
  return new Map(
    playerIds.map((id) => [id, Math.max(0, limitOf(priority) - usedAt(windows.get(id), now))]),
  );
}

/** @returns the calls left to `playerId` now at this priority, never below 0 */
export async function callsLeft(
  place: BudgetPlace,
  playerId: number,
  priority: Priority,
): Promise<number> {
  return (await callsLeftOfEach(place, [playerId], priority)).get(playerId) ?? 0;
}

/**
 * Charges one call to the budget of the player who owns the key, whichever process asks. Never call it in a transaction: the
 * charge stands whatever comes of the work.
 * @throws GameCallError `owner-budget` with the seconds until a call is left again; the game is not asked then
 */
export async function spendCall(
  place: BudgetPlace,
  playerId: number,
  priority: Priority,
): Promise<void> {
  const now = place.now();
  const limit = limitOf(priority);
  if (await countCalls(place.database, { subject: playerId, slot: slotOf(now), calls: 1, limit }))
    return;
  const window = (await readWindows(place.database.query, [playerId])).get(playerId);
  throw gameCallError({
    kind: "owner-budget",
    retryAfter: secondsUntilFree(window, now, limit),
    detail: `our own budget for player ${playerId} at priority ${priority} is spent`,
  });
}

/** The game said that the player's keys were used too often, by us or by others: none of us asks again for a minute. */
export const exhaustBudget = ({ database, now }: BudgetPlace, playerId: number): Promise<void> =>
  fillWindow(database.query, { subject: playerId, slot: slotOf(now()), calls: callsPerMinute });

/** The calls that all players' budgets were charged in the last minute. */
export interface BudgetUse {
  /** Players with whose keys the game was asked. */
  readonly players: number;
  readonly calls: number;
  /** Players who have nothing left. */
  readonly spent: number;
}

/** The calls charged to all players' budgets in the last minute, for health. */
export const budgetUse = ({ database, now }: BudgetPlace): Promise<BudgetUse> =>
  sumWindows(database.keyPool, slotOf(now()), callsPerMinute);

/** All players' calls together are counted beside those of each; players' ids begin at 1. */
export const addressSubject = 0;

/** Calls that all processes together may still make now. */
export async function addressCallsLeft(
  { database, now }: BudgetPlace,
  limit: number,
): Promise<number> {
  const windows = await readWindows(database.keyPool, [addressSubject]);
  return Math.max(0, limit - usedAt(windows.get(addressSubject), now()));
}

/** After so many seconds a call counts no more. */
export const windowSeconds = slotsCounted * slotSeconds;

const slotMs = slotSeconds * secondMs;

/** The beginning of the slot in which a moment lies. */
export const slotOf = (now: Date): Date => new Date(Math.floor(now.getTime() / slotMs) * slotMs);

/** How many slots ago the window's newest one was; null where nothing of it counts, or its clock cannot be ours. */
function ageOf({ slot }: CallWindow, now: Date): number | null {
  const age = (slotOf(now).getTime() - slot.getTime()) / slotMs;
  return age >= slotsCounted || age < -slotsCounted ? null : Math.max(0, age);
}

/** Calls that still count. */
export function usedAt(window: CallWindow | undefined, now: Date): number {
  const age = window && ageOf(window, now);
  if (!window || age === null || age === undefined) return 0;
  return window.earlier
    .slice(0, slotsCounted - 1 - age)
    .reduce((sum, calls) => sum + calls, window.used);
}

/** Whole seconds, at least 1, until one more call fits below `limit`, if nobody calls meanwhile. */
export function secondsUntilFree(window: CallWindow | undefined, now: Date, limit: number): number {
  let tooMany = usedAt(window, now) + 1 - limit;
  if (!window || tooMany <= 0) return 1;
  const counts = [window.used, ...window.earlier].slice(0, slotsCounted);
  for (let age = counts.length - 1; age >= 0; age--) {
    const ends = window.slot.getTime() - age * slotMs + windowSeconds * secondMs;
    if (ends <= now.getTime()) continue;
    tooMany -= counts[age] ?? 0;
    if (tooMany <= 0) return Math.max(1, Math.ceil((ends - now.getTime()) / secondMs));
  }
  return windowSeconds;
}
