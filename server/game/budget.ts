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
 * "user": a caller waits. "high": rights depend on it. "background": keeps data fresh. "guest": a
 * caller waits and can repeat it freely with other players' keys.
 */
export type Priority = "user" | "high" | "background" | "guest";

interface BudgetPlace {
  readonly database: Database;
  readonly now: () => Date;
}

/**
 * Per player over all their keys in any 60 seconds. The game allows 100; the rest is for the
 * player's other tools.
 */
const callsPerMinute = 60;

/**
 * Share of the budget per priority: the last 30 % are for waiting users. Guests get less than jobs,
 * so that polling cannot block the work the key is lent for.
 */
const shares: Readonly<Record<Priority, number>> = {
  user: 1,
  high: 0.7,
  background: 0.5,
  guest: 0.45,
};

const limitOf = (priority: Priority) => Math.round(callsPerMinute * shares[priority]);

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

export async function callsLeft(
  place: BudgetPlace,
  playerId: number,
  priority: Priority,
): Promise<number> {
  return (await callsLeftOfEach(place, [playerId], priority)).get(playerId) ?? 0;
}

/**
 * Charges the key's owner. Not for transactions, because the charge must survive a rollback.
 * @throws GameCallError `owner-budget` with the seconds to wait; the game is not called
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

/** The game refused the player's keys for their rate: no calls for a minute. */
export const exhaustBudget = ({ database, now }: BudgetPlace, playerId: number): Promise<void> =>
  fillWindow(database.query, { subject: playerId, slot: slotOf(now()), calls: callsPerMinute });

export const budgetUse = ({ database, now }: BudgetPlace) =>
  sumWindows(database.keyPool, slotOf(now()), callsPerMinute);

/** Subject of the total of all players; player ids begin at 1. */
export const addressSubject = 0;

export async function addressCallsLeft(
  { database, now }: BudgetPlace,
  limit: number,
): Promise<number> {
  const windows = await readWindows(database.keyPool, [addressSubject]);
  return Math.max(0, limit - usedAt(windows.get(addressSubject), now()));
}

export const windowSeconds = slotsCounted * slotSeconds;

const slotMs = slotSeconds * secondMs;

export const slotOf = (now: Date): Date => new Date(Math.floor(now.getTime() / slotMs) * slotMs);

/** Age of the newest slot in slots; null if expired, or if its clock is implausible. */
function ageOf({ slot }: CallWindow, now: Date): number | null {
  const age = (slotOf(now).getTime() - slot.getTime()) / slotMs;
  return age >= slotsCounted || age < -slotsCounted ? null : Math.max(0, age);
}

export function usedAt(window: CallWindow | undefined, now: Date): number {
  const age = window && ageOf(window, now);
  if (!window || age === null || age === undefined) return 0;
  return window.earlier
    .slice(0, slotsCounted - 1 - age)
    .reduce((sum, calls) => sum + calls, window.used);
}

/** At least 1, in whole seconds, without further calls. */
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
