import type { Database } from "#db/client";
import type { Log } from "#server/platform/log";
import { secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import { createWakeLoop } from "#server/work/wake-loop";
import { type GameCallError, gameCallError } from "./game-call-error";
import {
  type CallWindow,
  chargeCalls,
  readWindows,
  saveFullWindow,
  slotSeconds,
  slotsPerWindow,
  sumWindows,
} from "./store";

/**
 * "user": a caller waits. "high": rights depend on the call. "background": keeps data fresh.
 * "guest": a caller waits and can repeat the call freely with other players' keys.
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
 * The last 30 % are for waiting users. Guests get less than jobs, so that polling cannot block the
 * work the key is lent for.
 */
const shares: Readonly<Record<Priority, number>> = {
  user: 1,
  high: 0.7,
  background: 0.5,
  guest: 0.45,
};

const limitOf = (priority: Priority) => Math.round(callsPerMinute * shares[priority]);

export async function readCallsLeftByPlayer(
  place: BudgetPlace,
  playerIds: readonly number[],
  priority: Priority,
): Promise<ReadonlyMap<number, number>> {
  const windows = await readWindows(place.database.query, playerIds);
  const now = place.now();
  return new Map(
    playerIds.map((id) => [id, Math.max(0, limitOf(priority) - callsUsedAt(windows.get(id), now))]),
  );
}

export async function readCallsLeft(
  place: BudgetPlace,
  playerId: number,
  priority: Priority,
): Promise<number> {
  return (await readCallsLeftByPlayer(place, [playerId], priority)).get(playerId) ?? 0;
}

/**
 * Charges the key's owner, never in a transaction: the charge must survive a rollback.
 * @throws GameCallError `owner-budget` with the seconds to wait; the game is not called
 */
export async function chargeCall(
  place: BudgetPlace,
  playerId: number,
  priority: Priority,
): Promise<void> {
  const now = place.now();
  const limit = limitOf(priority);
  if (await chargeCalls(place.database, { subject: playerId, slot: slotOf(now), calls: 1, limit }))
    return;
  const window = (await readWindows(place.database.query, [playerId])).get(playerId);
  throw gameCallError({
    kind: "owner-budget",
    retryAfter: secondsUntilFree(window, now, limit),
    detail: `our own budget for player ${playerId} at priority ${priority} is spent`,
  });
}

/** Fills the window after the game has counted more calls than we have. */
export const exhaustBudget = ({ database, now }: BudgetPlace, playerId: number): Promise<void> =>
  saveFullWindow(database.query, { subject: playerId, slot: slotOf(now()), calls: callsPerMinute });

export const readBudgetUse = ({ database, now }: BudgetPlace) =>
  sumWindows(database.keyPool, slotOf(now()), callsPerMinute);

const slotMs = slotSeconds * secondMs;
export const windowSeconds = slotsPerWindow * slotSeconds;
const windowMs = windowSeconds * secondMs;

const slotOf = (now: Date): Date => new Date(Math.floor(now.getTime() / slotMs) * slotMs);

export function callsUsedAt(window: CallWindow | undefined, now: Date): number {
  if (!window) return 0;
  const age = (slotOf(now).getTime() - window.slot.getTime()) / slotMs;
  // The window has expired, or its clock is implausible.
  if (age >= slotsPerWindow || age < -slotsPerWindow) return 0;
  return window.earlier
    .slice(0, slotsPerWindow - 1 - Math.max(0, age))
    .reduce((sum, calls) => sum + calls, window.used);
}

/** At least 1. Assumes that no further calls are made. */
export function secondsUntilFree(window: CallWindow | undefined, now: Date, limit: number): number {
  let tooMany = callsUsedAt(window, now) + 1 - limit;
  if (!window || tooMany <= 0) return 1;
  const counts = [window.used, ...window.earlier].slice(0, slotsPerWindow);
  for (let age = counts.length - 1; age >= 0; age--) {
    const ends = window.slot.getTime() - age * slotMs + windowMs;
    if (ends <= now.getTime()) continue;
    tooMany -= counts[age] ?? 0;
    if (tooMany <= 0) return Math.max(1, Math.ceil((ends - now.getTime()) / secondMs));
  }
  return windowSeconds;
}

/** Subject of the total of all players; player ids begin at 1. */
const addressSubject = 0;

export async function readAddressCallsLeft(
  { database, now }: BudgetPlace,
  limit: number,
): Promise<number> {
  const windows = await readWindows(database.keyPool, [addressSubject]);
  return Math.max(0, limit - callsUsedAt(windows.get(addressSubject), now()));
}

interface AddressBudgetOptions extends BudgetPlace {
  readonly limit: number;
  readonly log?: Pick<Log, "warn">;
  readonly timeoutMs?: number;
}

/** Share of each minute that is reserved for sign-ins, so that other calls cannot block them. */
const shareKept = 0.05;
/** Share per process while the database is slow, so that a few together stay below the limit. */
const shareAlone = 0.25;

export type AddressBudget = ReturnType<typeof createAddressBudget>;

/** All processes of a database share one ceiling, because the game limits calls per address. */
export function createAddressBudget(options: AddressBudgetOptions) {
  const { database, now, limit } = options;
  const kept = Math.floor(limit * shareKept);
  const usual = createCeiling({
    ...options,
    limit: limit - kept,
    alone: Math.floor((limit - kept) * shareAlone),
  });
  const last = createCeiling({ ...options, alone: Math.floor(kept * shareAlone) });
  return {
    refusal: usual.refusal,
    /** @throws GameCallError `ip-block` at the ceiling, with the seconds to wait */
    take: (purpose: "usual" | "whose-key") => (purpose === "usual" ? usual : last).take(),
    exhaust: () =>
      saveFullWindow(database.query, {
        subject: addressSubject,
        slot: slotOf(now()),
        calls: limit,
      }),
  };
}

interface Waiter {
  readonly pass: () => void;
  readonly refuse: (error: GameCallError) => void;
}

/**
 * Batches concurrent callers into one statement per process, so that the row is no bottleneck.
 * @param options `alone` is the limit per minute while the database is slow
 */
function createCeiling(options: AddressBudgetOptions & { readonly alone: number }) {
  const { database, now, limit, log, timeoutMs = 1_000 } = options;
  let waiting: Waiter[] = [];
  let fullUntil = 0;
  /** Times of calls permitted without the database, of which `unrecorded` are not yet stored. */
  let alone: number[] = [];
  let unrecorded = 0;

  const count = (calls: number, most: number) =>
    chargeCalls(database, { subject: addressSubject, slot: slotOf(now()), calls, limit: most });
  const refuse = (retryAfter: number) =>
    gameCallError({ kind: "ip-block", retryAfter, detail: "our own ceiling" });
  const refusal = () => {
    const left = fullUntil - now().getTime();
    return left > 0 ? refuse(Math.ceil(left / secondMs)) : undefined;
  };

  async function claim(calls: number): Promise<number> {
    if (unrecorded > 0) {
      const recorded = unrecorded;
      await count(recorded, Number.MAX_SAFE_INTEGER);
      unrecorded -= recorded;
    }
    if (await count(calls, limit)) return calls;
    const window = (await readWindows(database.query, [addressSubject])).get(addressSubject);
    const left = Math.min(calls, limit - callsUsedAt(window, now()));
    const granted = left > 0 && (await count(left, limit)) ? left : 0;
    if (granted < calls)
      fullUntil = now().getTime() + secondsUntilFree(window, now(), limit) * secondMs;
    return granted;
  }

  function claimAlone(calls: number): number {
    const at = now().getTime();
    alone = alone.filter((moment) => moment > at - windowMs);
    const granted = Math.max(0, Math.min(calls, options.alone - alone.length));
    for (let call = 0; call < granted; call++) alone.push(at);
    unrecorded += granted;
    if (granted < calls) fullUntil = (alone[0] ?? at) + windowMs;
    return granted;
  }

  const grant = (calls: number): Promise<number> =>
    within(timeoutMs, claim(calls)).catch(() => {
      log?.warn(
        { calls },
        "calls to the game are counted in this process alone: the database is slow",
      );
      return claimAlone(calls);
    });

  const { run } = createWakeLoop({
    run: async () => {
      const callers = waiting;
      waiting = [];
      const granted = refusal() ? 0 : await grant(callers.length);
      for (const { pass } of callers.slice(0, granted)) pass();
      const full = refusal() ?? refuse(1);
      for (const caller of callers.slice(granted)) caller.refuse(full);
    },
    onFailure: () => {},
  });

  return {
    refusal,
    take: (): Promise<void> => {
      const full = refusal();
      if (full) return Promise.reject(full);
      return new Promise((pass, refuse) => {
        waiting.push({ pass, refuse });
        void run();
      });
    },
  };
}
