import type { Database } from "#db/client";
import type { Log } from "#server/platform/log";
import { secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import { addressSubject, secondsUntilFree, slotOf, usedAt, windowSeconds } from "./budget";
import { type GameCallError, gameCallError } from "./game-call-error";
import { countCalls, fillWindow, readWindows } from "./store";

/** Part of each minute is reserved for sign-ins, so that other calls cannot block them. */
type CallPurpose = "usual" | "whose-key";

interface AddressBudgetOptions {
  readonly database: Database;
  readonly now: () => Date;
  readonly limit: number;
  readonly log?: Pick<Log, "warn">;
  readonly timeoutMs?: number;
}

/** Share of each minute that is reserved for sign-ins. */
const shareKept = 0.05;
/** Share per process while the database is slow: a few processes stay below the limit together. */
const shareAlone = 0.25;

interface Waiter {
  readonly pass: () => void;
  readonly refuse: (error: GameCallError) => void;
}

export type AddressBudget = ReturnType<typeof createAddressBudget>;

/** Limits calls of all processes of one database to what the game allows one address. */
export function createAddressBudget(options: AddressBudgetOptions) {
  const { database, now, limit } = options;
  const kept = Math.floor(limit * shareKept);
  const usual = createCeiling({
    ...options,
    limit: limit - kept,
    alone: Math.floor((limit - kept) * shareAlone),
  });
  const last = createCeiling({ ...options, limit, alone: Math.floor(kept * shareAlone) });
  return {
    refusal: usual.refusal,
    /** Counts one call. @throws GameCallError `ip-block` at the ceiling, with the seconds to wait */
    take: (purpose: CallPurpose) => (purpose === "usual" ? usual : last).take(),
    exhaust: () =>
      fillWindow(database.query, {
        subject: addressSubject,
        slot: slotOf(now()),
        calls: limit,
      }),
  };
}

/**
 * Batches concurrent callers into one statement per process, so that the row is no bottleneck.
 * @param options `alone` is the limit per minute while the database is slow
 */
function createCeiling(options: AddressBudgetOptions & { readonly alone: number }) {
  const { database, now, limit, log, timeoutMs = 1_000 } = options;
  let waiting: Waiter[] = [];
  let asking = false;
  let fullUntil = 0;
  /** Times of calls permitted without the database, and how many are not yet recorded there. */
  let alone: number[] = [];
  let untold = 0;

  const count = (calls: number, most: number) =>
    countCalls(database, { subject: addressSubject, slot: slotOf(now()), calls, limit: most });
  const fullFor = (ms: number) => {
    fullUntil = now().getTime() + ms;
  };
  const refusal = () => {
    const left = fullUntil - now().getTime();
    if (left <= 0) return undefined;
    return gameCallError({
      kind: "ip-block",
      retryAfter: Math.ceil(left / secondMs),
      detail: "our own ceiling",
    });
  };

  async function claim(calls: number): Promise<number> {
    if (untold > 0) {
      const told = untold;
      await count(told, Number.MAX_SAFE_INTEGER);
      untold -= told;
    }
    if (await count(calls, limit)) return calls;
    const window = (await readWindows(database.query, [addressSubject])).get(addressSubject);
    const left = limit - usedAt(window, now());
    const granted =
      left > 0 && (await count(Math.min(left, calls), limit)) ? Math.min(left, calls) : 0;
    if (granted < calls) fullFor(secondsUntilFree(window, now(), limit) * secondMs);
    return granted;
  }

  function claimAlone(calls: number): number {
    const at = now().getTime();
    alone = alone.filter((moment) => moment > at - windowSeconds * secondMs);
    const granted = Math.max(0, Math.min(calls, options.alone - alone.length));
    for (let call = 0; call < granted; call++) alone.push(at);
    untold += granted;
    if (granted < calls) fullFor((alone[0] ?? at) + windowSeconds * secondMs - at);
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

  async function serve(): Promise<void> {
    if (asking) return;
    asking = true;
    while (waiting.length > 0) {
      const callers = waiting;
      waiting = [];
      const granted = refusal() ? 0 : await grant(callers.length);
      for (const { pass } of callers.slice(0, granted)) pass();
      const full =
        refusal() ?? gameCallError({ kind: "ip-block", retryAfter: 1, detail: "our own ceiling" });
      for (const { refuse } of callers.slice(granted)) refuse(full);
    }
    asking = false;
  }

  return {
    refusal,
    take: (): Promise<void> => {
      const full = refusal();
      if (full) return Promise.reject(full);
      return new Promise((pass, refuse) => {
        waiting.push({ pass, refuse });
        void serve();
      });
    },
  };
}
