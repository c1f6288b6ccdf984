import DataLoader from "dataloader";
import type { Log } from "../log";
import type { Metrics } from "../metrics";
import { isTimeout, within } from "../within";
import {
  type Limiter,
  type LimitState,
  type LimitWindow,
  minuteOf,
  processLimiter,
  stateOf,
} from "./limiter";

/** A change to one counter. */
export interface CounterChange {
  readonly window: LimitWindow;
  /** The number of the clock minute, by the service's own clock: the next one is another counter. */
  readonly minute: number;
  /** 1 charges a call, -1 gives one back, 0 only looks. */
  readonly by: 1 | 0 | -1;
}

/** The counters that processes share: a Redis, over TCP or HTTP. */
export interface CounterStore {
  readonly kind: "redis" | "upstash";
  /**
   * Counts what came in one turn of the event loop. A refused call counts nothing, and nothing goes below zero.
   * @returns what each counter holds afterwards, in order; for a refused call one more than its limit; undefined for what is no
   *   counter
   * @throws where the store does not count
   */
  count(counts: readonly CounterChange[]): Promise<(number | undefined)[]>;
  close(): Promise<void>;
}

export interface RedisLimiterOptions {
  readonly store: CounterStore;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, "limiterFallbacks"> | undefined;
  /** Milliseconds after which a call is counted in the process instead. */
  readonly timeout?: number;
  /** Milliseconds without an answer in time before Redis counts as lost; a broken connection counts at once. */
  readonly grace?: number;
  /** Milliseconds between looks whether a lost Redis is back. */
  readonly probeEvery?: number;
}

/** Redis does nothing else while a script runs. */
const mostTogether = 200;
/** A count that proves Redis writes: a full or read-only one still answers a ping. */
const trial: LimitWindow = { policy: "trial", subject: "-", limit: Number.MAX_SAFE_INTEGER };

/**
 * Counts in Redis, so that several instances share the windows. When Redis does not answer in time, calls are counted in the
 * process until it is back; both turns are logged, and `status` shows it.
 */
export function redisLimiter(options: RedisLimiterOptions): Limiter {
  const { store, now, log, timeout = 50, grace = 250, probeEvery = 1_000 } = options;
  const fallback = processLimiter(now);
  const fallbacks = options.metrics?.limiterFallbacks;
  let probe: NodeJS.Timeout | undefined;
  /** Since when every call went unanswered, on the monotonic clock. */
  let silentSince: number | undefined;
  /** The last clock minute of which calls were counted here alone. */
  let doubted = -1;

  const lose = (error: unknown) => {
    silentSince ??= performance.now();
    // A moment of silence on a busy machine must not take the shared windows apart.
    if (probe || (isTimeout(error) && performance.now() - silentSince < grace)) return;
    log.warn(
      { reason: reasonOf(error) },
      "Redis does not answer: limits are counted in this process until it is back",
    );
    probe = setInterval(() => {
      within(timeout, store.count([{ window: trial, minute: minuteOf(now()), by: 1 }])).then(
        () => {
          clearInterval(probe);
          probe = undefined;
          silentSince = undefined;
          log.info({}, "Redis is back: limits are shared again");
        },
        () => {},
      );
    }, probeEvery);
    probe.unref();
  };
  // The counts of one turn of the event loop go together: a command and a timer for each took a quarter of the processor time
  // of a call.
  const counter = new DataLoader<CounterChange, number | undefined>(
    async (counts) => {
      try {
        const answers = await within(timeout, store.count(counts));
        silentSince = undefined;
        return answers;
      } catch (error) {
        lose(error);
        return counts.map(() => undefined);
      }
    },
    { cache: false, batchScheduleFn: setImmediate, maxBatchSize: mostTogether },
  );
  /** @returns undefined while Redis does not answer; `doubtful`: it may know too little of this minute */
  const count = async (window: LimitWindow, by: CounterChange["by"], instant: Date) => {
    const used = probe ? undefined : await counter.load({ window, minute: minuteOf(instant), by });
    if (used === undefined) {
      doubted = minuteOf(now());
      fallbacks?.inc();
      return undefined;
    }
    const doubtful = doubted === minuteOf(instant);
    // If Redis is lost, the process goes on from here: no process ever lets more pass than the limit.
    if (!doubtful) fallback.learn(window, Math.min(used, window.limit), instant);
    return { used, doubtful };
  };

  return {
    take: async (window): Promise<LimitState> => {
      const instant = now();
      const counted = await count(window, 1, instant);
      if (!counted) return fallback.take(window);
      const state = stateOf(window, {
        count: counted.used,
        allowed: counted.used <= window.limit,
        now: instant,
      });
      return counted.doubtful && state.allowed
        ? stricterOf(state, await fallback.take(window))
        : state;
    },
    peek: async (window) => {
      const instant = now();
      const counted = await count(window, 0, instant);
      if (!counted) return fallback.peek(window);
      const state = stateOf(window, {
        count: counted.used,
        allowed: counted.used < window.limit,
        now: instant,
      });
      return counted.doubtful ? stricterOf(state, await fallback.peek(window)) : state;
    },
    giveBack: async (window, chargedAt) => {
      const instant = now();
      if (minuteOf(chargedAt) !== minuteOf(instant)) return;
      const counted = await count(window, -1, instant);
      if (!counted || counted.doubtful) await fallback.giveBack(window, chargedAt);
    },
    status: () => ({ kind: store.kind, shared: probe === undefined }),
    close: async () => {
      clearInterval(probe);
      await store.close();
    },
  };
}

const stricterOf = (one: LimitState, other: LimitState): LimitState =>
  other.allowed && other.remaining >= one.remaining ? one : other;

/** The reason of a failure, without the address of the store or anything that was sent to it: Redis's errors begin with a word. */
function reasonOf(error: unknown): string {
  if (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    typeof error.code === "string"
  )
    return error.code;
  if (!(error instanceof Error)) return "unknown";
  return /^[A-Z]{2,}(?= )/.exec(error.message)?.[0] ?? error.name;
}
