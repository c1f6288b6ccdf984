import type { Database } from "#db/client";
import type { Log } from "#server/platform/log";
import { within } from "#server/platform/within";
import { type GameCallError, gameCallError } from "./game-call-error";
import { type CallWindow, countCalls, fillWindow, readWindows, slotSeconds, slotsCounted, sumWindows } from "./store";

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
const shares: Readonly<Record<Priority, number>> = { user: 1, high: 0.7, background: 0.5, guest: 0.45 };

const limitOf = (priority: Priority) => Math.round(callsPerMinute * shares[priority]);

/** @returns the calls left now at this priority for each of the players, never below 0; one statement for all of them */
export async function callsLeftOfEach(
  place: BudgetPlace,
  playerIds: readonly number[],
  priority: Priority,
): Promise<ReadonlyMap<number, number>> {
  const windows = await readWindows(place.database.query, playerIds);
  const now = place.now();
  return new Map(playerIds.map((id) => [id, Math.max(0, limitOf(priority) - usedAt(windows.get(id), now))]));
}

/** @returns the calls left to `playerId` now at this priority, never below 0 */
export async function callsLeft(place: BudgetPlace, playerId: number, priority: Priority): Promise<number> {
  return (await callsLeftOfEach(place, [playerId], priority)).get(playerId) ?? 0;
}

/**
 * Charges one call to the budget of the player who owns the key, whichever process asks. Never call it in a transaction: the
 * charge stands whatever comes of the work.
 * @throws GameCallError `owner-budget` with the seconds until a call is left again; the game is not asked then
 */
export async function spendCall(place: BudgetPlace, playerId: number, priority: Priority): Promise<void> {
  const now = place.now();
  const limit = limitOf(priority);
  if (await countCalls(place.database, { subject: playerId, slot: slotOf(now), calls: 1, limit })) return;
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

/** What all players' budgets have borne in the last minute. */
export interface BudgetUse {
  /** Players with whose keys the game was asked. */
  readonly players: number;
  readonly calls: number;
  /** Players who have nothing left. */
  readonly spent: number;
}

/** What all players' budgets have borne in the last minute, for health. */
export const budgetUse = ({ database, now }: BudgetPlace): Promise<BudgetUse> =>
  sumWindows(database.keyPool, slotOf(now()), callsPerMinute);

/** Calls that all processes together may still make now. */
export async function addressCallsLeft({ database, now }: BudgetPlace, limit: number): Promise<number> {
  const windows = await readWindows(database.keyPool, [subject]);
  return Math.max(0, limit - usedAt(windows.get(subject), now()));
}

/** After so many seconds a call counts no more. */
export const windowSeconds = slotsCounted * slotSeconds;

const slotMs = slotSeconds * 1_000;

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
  return window.earlier.slice(0, slotsCounted - 1 - age).reduce((sum, calls) => sum + calls, window.used);
}

/** Whole seconds, at least 1, until one more call fits below `limit`, if nobody calls meanwhile. */
export function secondsUntilFree(window: CallWindow | undefined, now: Date, limit: number): number {
  let tooMany = usedAt(window, now) + 1 - limit;
  if (!window || tooMany <= 0) return 1;
  const counts = [window.used, ...window.earlier].slice(0, slotsCounted);
  for (let age = counts.length - 1; age >= 0; age--) {
    const ends = window.slot.getTime() - age * slotMs + windowSeconds * 1_000;
    if (ends <= now.getTime()) continue;
    tooMany -= counts[age] ?? 0;
    if (tooMany <= 0) return Math.max(1, Math.ceil((ends - now.getTime()) / 1_000));
  }
  return windowSeconds;
}

/** Keeps all processes of one database together below what the game allows one address. */
export interface AddressBudget {
  /** Counts one call. @throws GameCallError `ip-block` where the ceiling is reached, with the seconds until it is not */
  take(): Promise<void>;
  /** What `take` would throw without asking the database. */
  refusal(): GameCallError | undefined;
  /** The game said that the address called too often, through us or others: no process calls for a minute. */
  exhaust(): Promise<void>;
}

export interface AddressBudgetOptions {
  readonly database: Database;
  readonly now: () => Date;
  /** Calls in any 60 seconds, of all processes. */
  readonly limit: number;
  readonly log?: Pick<Log, "warn">;
  /** Milliseconds that a call waits for the database. */
  readonly timeoutMs?: number;
}

/** Players' ids begin at 1. */
const subject = 0;
/** What a process lets through by itself while the database is slow: a few processes stay below the limit together. */
const shareAlone = 0.25;

interface Waiter {
  readonly pass: () => void;
  readonly refuse: (error: GameCallError) => void;
}

/**
 * Callers who come while the database is being asked are counted together in the next statement, so that a process has one
 * statement under way however many call, and the row is no bottleneck.
 */
export function createAddressBudget(options: AddressBudgetOptions): AddressBudget {
  const { database, now, limit, log, timeoutMs = 1_000 } = options;
  let waiting: Waiter[] = [];
  let asking = false;
  let fullUntil = 0;
  /** When calls were let through that the database was not asked about, and how many of them it was not told of yet. */
  let alone: number[] = [];
  let untold = 0;

  const count = (calls: number, most: number) =>
    countCalls(database, { subject, slot: slotOf(now()), calls, limit: most });
  const fullFor = (ms: number) => {
    fullUntil = now().getTime() + ms;
  };
  const refusal = () => {
    const left = fullUntil - now().getTime();
    if (left <= 0) return undefined;
    return gameCallError({ kind: "ip-block", retryAfter: Math.ceil(left / 1_000), detail: "our own ceiling" });
  };

  /** @returns how many of the calls may be made */
  async function claim(calls: number): Promise<number> {
    if (untold > 0) {
      const told = untold;
      await count(told, Number.MAX_SAFE_INTEGER);
      untold -= told;
    }
    if (await count(calls, limit)) return calls;
    const window = (await readWindows(database.query, [subject])).get(subject);
    const left = limit - usedAt(window, now());
    const granted = left > 0 && (await count(Math.min(left, calls), limit)) ? Math.min(left, calls) : 0;
    if (granted < calls) fullFor(secondsUntilFree(window, now(), limit) * 1_000);
    return granted;
  }

  function claimAlone(calls: number): number {
    const at = now().getTime();
    alone = alone.filter((moment) => moment > at - windowSeconds * 1_000);
    const granted = Math.max(0, Math.min(calls, Math.floor(limit * shareAlone) - alone.length));
    for (let call = 0; call < granted; call++) alone.push(at);
    untold += granted;
    if (granted < calls) fullFor((alone[0] ?? at) + windowSeconds * 1_000 - at);
    return granted;
  }

  const grant = (calls: number): Promise<number> =>
    within(timeoutMs, claim(calls)).catch(() => {
      log?.warn({ calls }, "calls to the game are counted in this process alone: the database is slow");
      return claimAlone(calls);
    });

  async function serve(): Promise<void> {
    if (asking) return;
    asking = true;
    while (waiting.length > 0) {
      const callers = waiting;
      waiting = [];
      const granted = refusal() ? 0 : await grant(callers.length);
      for (const { pass } of callers.slice(0, granted)) pass();
      const full = refusal() ?? gameCallError({ kind: "ip-block", retryAfter: 1, detail: "our own ceiling" });
      for (const { refuse } of callers.slice(granted)) refuse(full);
    }
    asking = false;
  }

  return {
    refusal,
    take: () => {
      const full = refusal();
      if (full) return Promise.reject(full);
      return new Promise((pass, refuse) => {
        waiting.push({ pass, refuse });
        void serve();
      });
    },
    exhaust: () => fillWindow(database.query, { subject, slot: slotOf(now()), calls: limit }),
  };
}
