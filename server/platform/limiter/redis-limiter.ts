import { Ratelimit } from "@upstash/ratelimit";
import type { Log } from "../log";
import { isTimeout, within } from "../within";
import { minuteOf, secondsLeft } from "./clock-minute";
import { clockMinute } from "./clock-minute-algorithm";
import type { CounterStore } from "./counter-store";
import type { Limiter, LimitState, LimitWindow } from "./limiter";
import { processLimiter } from "./process-limiter";

export interface RedisLimiterOptions {
  readonly store: CounterStore;
  readonly now: () => Date;
  readonly log: Log;
  /** Milliseconds after which a call is counted in the process instead. */
  readonly patience?: number;
  /** Milliseconds without an answer in time before Redis counts as lost; a broken connection counts at once. */
  readonly grace?: number;
  /** Milliseconds between looks whether a lost Redis is back. */
  readonly probeEvery?: number;
}

/**
 * Counts in Redis, so that several instances share the windows. When Redis does not answer in time, calls are counted in the
 * process until it is back; both turns are logged, and `status` tells.
 */
export function redisLimiter(options: RedisLimiterOptions): Limiter {
  const { store, now, log, patience = 50, grace = 250, probeEvery = 1_000 } = options;
  const fallback = processLimiter(now);
  const limiters = new Map<string, Ratelimit>();
  let probe: NodeJS.Timeout | undefined;
  /** Since when every call went unanswered, on the monotonic clock. */
  let silentSince: number | undefined;

  const limiterOf = ({ policy, limit }: LimitWindow): Ratelimit => {
    const name = `${policy}:${limit}`;
    let limiter = limiters.get(name);
    if (!limiter) {
      limiter = new Ratelimit({
        // It uses these commands alone; its type names the whole of Upstash's client.
        redis: store as unknown as ConstructorParameters<typeof Ratelimit>[0]["redis"],
        limiter: clockMinute(limit, now),
        prefix: `adjutant:${policy}`,
        // Its own time-out lets everybody pass; ours counts on in the process.
        timeout: 0,
        ephemeralCache: false,
      });
      limiters.set(name, limiter);
    }
    return limiter;
  };
  const lose = (error: unknown) => {
    silentSince ??= performance.now();
    // A moment of silence on a busy machine must not take the shared windows apart.
    if (probe || (isTimeout(error) && performance.now() - silentSince < grace)) return;
    log.warn({ reason: reasonOf(error) }, "Redis does not answer: limits are counted in this process until it is back");
    probe = setInterval(() => {
      within(patience, store.ping()).then(
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
  /** Asks Redis, and this process instead while Redis does not answer. */
  const ask = async <Answer>(there: () => Promise<Answer>, here: () => Promise<Answer>): Promise<Answer> => {
    if (probe) return here();
    try {
      const answer = await within(patience, there());
      silentSince = undefined;
      return answer;
    } catch (error) {
      lose(error);
      return here();
    }
  };
  const stateOf = ({ policy, limit }: LimitWindow, counted: { allowed: boolean; remaining: number }): LimitState => ({
    policy,
    ...counted,
    limit,
    reset: secondsLeft(now()),
  });

  return {
    take: (window) =>
      ask(
        async () => stateOf(window, await charge(limiterOf(window), window.subject)),
        () => fallback.take(window),
      ),
    peek: (window) =>
      ask(
        async () => stateOf(window, await look(limiterOf(window), window.subject)),
        () => fallback.peek(window),
      ),
    giveBack: async (window, chargedAt) => {
      if (minuteOf(chargedAt) !== minuteOf(now())) return;
      await ask(
        async () => void (await limiterOf(window).limit(window.subject, { rate: -1 })),
        () => fallback.giveBack(window, chargedAt),
      );
    },
    status: () => ({ kind: store.kind, shared: probe === undefined }),
    close: async () => {
      clearInterval(probe);
      await store.close();
    },
  };
}

async function charge(limiter: Ratelimit, subject: string) {
  const { success, remaining } = await limiter.limit(subject);
  return { allowed: success, remaining };
}

async function look(limiter: Ratelimit, subject: string) {
  const { remaining } = await limiter.getRemaining(subject);
  return { allowed: remaining > 0, remaining };
}

/** What went wrong, without the address of the store or anything that was sent to it. */
function reasonOf(error: unknown): string {
  if (typeof error === "object" && error !== null && "code" in error && typeof error.code === "string")
    return error.code;
  return error instanceof Error ? error.name : "unknown";
}
