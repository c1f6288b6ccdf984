import DataLoader from "dataloader";
import type { Log } from "../log";
import type { Metrics } from "../metrics";
import { isTimeout, within } from "../within";
import {
  createProcessLimiter,
  type Limiter,
  type LimitState,
  type LimitWindow,
  minuteOf,
  stateOf,
} from "./limiter";

export interface CounterChange {
  readonly window: LimitWindow;
  /** By the service's clock. */
  readonly minute: number;
  /** 1 charges a call, -1 gives one back, 0 reads. */
  readonly by: 1 | 0 | -1;
}

export interface CounterStore {
  readonly kind: "redis" | "upstash";
  /**
   * A refused call is not counted, and no counter goes below zero.
   * @returns the counts; one more than the limit for a refusal; undefined for a foreign value
   */
  count(counts: readonly CounterChange[]): Promise<(number | undefined)[]>;
  close(): Promise<void>;
}

interface RedisLimiterOptions {
  readonly store: CounterStore;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics?: Pick<Metrics, "limiterFallbacks"> | undefined;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Milliseconds of silence before Redis counts as lost. */
  readonly grace?: number;
  /** Milliseconds. */
  readonly probeEvery?: number;
}

/** Limits a batch, because a running script blocks Redis. */
const mostTogether = 200;
/** The probe counts: a full or read-only Redis still answers a ping. */
const trial: LimitWindow = { policy: "trial", subject: "-", limit: Number.MAX_SAFE_INTEGER };

/** Without a timely answer calls are counted in the process until Redis recovers. */
export function createRedisLimiter(options: RedisLimiterOptions): Limiter {
  const { store, now, log, timeout = 50, grace = 250, probeEvery = 1_000 } = options;
  const fallback = createProcessLimiter(now);
  const fallbacks = options.metrics?.limiterFallbacks;
  let probe: NodeJS.Timeout | undefined;
  /** On the monotonic clock. */
  let silentSince: number | undefined;
  /** The last minute with calls counted in the process. */
  let doubted = -1;

  const lose = (error: unknown) => {
    silentSince ??= performance.now();
    // A short silence on a busy machine must not split the shared windows.
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
  // Batched, because a command and timer per call took a quarter of the call's processor time.
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
  /** @returns undefined without Redis; `doubtful` if Redis's count may be too low */
  const count = async (window: LimitWindow, by: CounterChange["by"], instant: Date) => {
    const used = probe ? undefined : await counter.load({ window, minute: minuteOf(instant), by });
    if (used === undefined) {
      doubted = minuteOf(now());
      fallbacks?.inc();
      return undefined;
    }
    const doubtful = doubted === minuteOf(instant);
    // If Redis is lost, the process continues from this count within the limit.
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

/** A Redis error begins with a code; the rest may quote what was sent. */
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
