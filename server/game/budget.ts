import type { Database } from "#db/client";
import { secondsLeftOfMinute } from "./breaker";
import { gameError } from "./game-error";
import { countCall, fillMinute, readMinute, sumMinute } from "./store";

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

/** Calls a minute per player over all their keys. The game allows 100; the rest is left to the player's other tools. */
const callsPerMinute = 60;

/**
 * How much of the budget each priority may fill: the last 30 % are for those who wait. A guest fills less than any job, so that
 * nobody who polls can stop what the key's owner lends the key for.
 */
const shares: Readonly<Record<Priority, number>> = { user: 1, high: 0.7, background: 0.5, guest: 0.45 };

const limitOf = (priority: Priority) => Math.round(callsPerMinute * shares[priority]);

const minuteOf = (now: Date) => new Date(Math.floor(now.getTime() / 60_000) * 60_000);

/** @returns the calls left this minute at this priority for each of the players, never below 0; one statement for all of them */
export async function callsLeftOfEach(
  place: BudgetPlace,
  playerIds: readonly number[],
  priority: Priority,
): Promise<ReadonlyMap<number, number>> {
  const used = await readMinute(place.database.query, playerIds, minuteOf(place.now()));
  return new Map(playerIds.map((id) => [id, Math.max(0, limitOf(priority) - (used.get(id) ?? 0))]));
}

/** @returns the calls left to `playerId` this minute at this priority, never below 0 */
export async function callsLeft(place: BudgetPlace, playerId: number, priority: Priority): Promise<number> {
  return (await callsLeftOfEach(place, [playerId], priority)).get(playerId) ?? 0;
}

/**
 * Charges one call to the budget of the player who owns the key, whichever process asks. Never call it in a transaction: the
 * charge stands whatever comes of the work.
 * @throws GameError `owner-budget` with the seconds until the budget is full again; the game is not asked then
 */
export async function spendCall(place: BudgetPlace, playerId: number, priority: Priority): Promise<void> {
  const now = place.now();
  if (await countCall(place.database, { playerId, minute: minuteOf(now), limit: limitOf(priority) })) return;
  throw gameError({
    kind: "owner-budget",
    retryAfter: secondsLeftOfMinute(now),
    detail: `our own budget for player ${playerId} at priority ${priority} is spent`,
  });
}

/** The game said that the player's keys were used too often, by us or by others: none of us asks again this minute. */
export const exhaustBudget = ({ database, now }: BudgetPlace, playerId: number): Promise<void> =>
  fillMinute(database.query, { playerId, minute: minuteOf(now()), used: callsPerMinute });

/** What all players' budgets have borne in the present minute. */
export interface BudgetUse {
  /** Players with whose keys the game was asked. */
  readonly players: number;
  readonly calls: number;
  /** Players who have nothing left. */
  readonly spent: number;
}

/** What all players' budgets have borne this minute, for health. */
export const budgetUse = ({ database, now }: BudgetPlace): Promise<BudgetUse> =>
  sumMinute(database.query, minuteOf(now()), callsPerMinute);
