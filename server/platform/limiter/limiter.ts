import { TooManyRequests } from "#server/failures";
import type { Metrics } from "../metrics";
import { minuteMs, secondMs } from "../time";

/** Windows are clock minutes, equal on all instances. */
export interface LimitWindow {
  /** Sent as `details.policy`. */
  readonly policy: string;
  readonly subject: string;
  /** Calls a minute. */
  readonly limit: number;
}

export interface LimitState {
  readonly policy: string;
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends, 1 … 60. */
  readonly reset: number;
}

export interface Limiter {
  /** A refused call is not counted. */
  take(window: LimitWindow): Promise<LimitState>;
  /** No effect after the charge's minute. @param chargedAt time of the charge, or before */
  giveBack(window: LimitWindow, chargedAt: Date): Promise<void>;
  peek(window: LimitWindow): Promise<LimitState>;
  status(): { readonly kind: "process" | "redis" | "upstash"; readonly shared: boolean };
  close(): Promise<void>;
}

export const minuteOf = (now: Date): number => Math.floor(now.getTime() / minuteMs);

/** 1 … 60. */
export const secondsLeft = (now: Date): number =>
  Math.ceil((minuteMs - (now.getTime() % minuteMs)) / secondMs);

export const stateOf = (
  window: LimitWindow,
  used: { count: number; allowed: boolean; now: Date },
): LimitState => ({
  policy: window.policy,
  allowed: used.allowed,
  limit: window.limit,
  remaining: Math.max(0, window.limit - used.count),
  reset: secondsLeft(used.now),
});

interface ProcessLimiter extends Limiter {
  /** No effect after the minute of `countedAt`. */
  learn(window: LimitWindow, count: number, countedAt: Date): void;
}

export function createProcessLimiter(now: () => Date): ProcessLimiter {
  let counts = new Map<string, number>();
  let minute = 0;

  const find = ({ policy, subject }: LimitWindow) => {
    const instant = now();
    const thisMinute = minuteOf(instant);
    if (thisMinute !== minute) {
      minute = thisMinute;
      counts = new Map();
    }
    const key = `${policy} ${subject}`;
    return { key, count: counts.get(key) ?? 0, instant };
  };

  return {
    take: async (window) => {
      const { key, count: before, instant } = find(window);
      const allowed = before < window.limit;
      const count = allowed ? before + 1 : before;
      if (allowed) counts.set(key, count);
      return stateOf(window, { count, allowed, now: instant });
    },
    giveBack: async (window, chargedAt) => {
      const { key, count } = find(window);
      if (count > 0 && minuteOf(chargedAt) === minute) counts.set(key, count - 1);
    },
    peek: async (window) => {
      const { count, instant } = find(window);
      return stateOf(window, { count, allowed: count < window.limit, now: instant });
    },
    learn: (window, count, countedAt) => {
      const { key } = find(window);
      if (minuteOf(countedAt) === minute) counts.set(key, count);
    },
    status: () => ({ kind: "process", shared: false }),
    close: async () => {},
  };
}

export const withLimiterMetrics = (
  limiter: Limiter,
  { limiterCharges }: Pick<Metrics, "limiterCharges">,
): Limiter => ({
  ...limiter,
  take: async (window) => {
    const state = await limiter.take(window);
    limiterCharges.labels(window.policy, state.allowed ? "allowed" : "refused").inc();
    return state;
  },
});

/** @param what named in the message, such as "invitations" @throws TooManyRequests */
export async function charge(
  { limiter }: { readonly limiter: Pick<Limiter, "take"> },
  window: LimitWindow,
  what?: string,
): Promise<void> {
  const { allowed, reset } = await limiter.take(window);
  if (allowed) return;
  throw TooManyRequests.because({
    ...(what !== undefined && { message: `Too many ${what}. Try again in ${reset} seconds.` }),
    retryAfter: reset,
  });
}
