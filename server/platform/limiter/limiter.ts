import { minuteMs, secondMs } from "../time";

/**
 * One counter: a policy applied to a subject. Windows are clock minutes, the same for all
 * instances.
 */
export interface LimitWindow {
  /** The policy's name, as it appears in `details.policy`: "holder", "peer", "chain-list", … */
  readonly policy: string;
  /** The subject it counts for. */
  readonly subject: string;
  /** Calls a minute. */
  readonly limit: number;
}

/** The state of a window after a call. */
export interface LimitState {
  readonly policy: string;
  readonly allowed: boolean;
  readonly limit: number;
  /** Calls left, never below 0. */
  readonly remaining: number;
  /** Whole seconds until the window ends, 1 … 60. */
  readonly reset: number;
}

/** Counts calls. Kept in this process, or in Redis so that several instances share it. */
export interface Limiter {
  /** Charges one call to the window. A refused call is not counted beyond the limit. */
  take(window: LimitWindow): Promise<LimitState>;
  /**
   * Takes a charge back that turned out not to count. Of a minute that is over nothing is left to take back.
   * @param chargedAt when it was charged, or a moment before
   */
  giveBack(window: LimitWindow, chargedAt: Date): Promise<void>;
  /** The window's state, without charging it. */
  peek(window: LimitWindow): Promise<LimitState>;
  /** The kind of store that counts at the moment, for health. */
  status(): { readonly kind: "process" | "redis" | "upstash"; readonly shared: boolean };
  close(): Promise<void>;
}

/** The number of the clock minute: the same for all instances, whatever their time zone. */
export const minuteOf = (now: Date): number => Math.floor(now.getTime() / minuteMs);

/** Whole seconds until the clock minute ends, 1 … 60. */
export const secondsLeft = (now: Date): number =>
  Math.ceil((minuteMs - (now.getTime() % minuteMs)) / secondMs);

/** The state of a window with `used` calls counted; `allowed` is for the caller to know. */
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

export interface ProcessLimiter extends Limiter {
  /** Goes on from what was counted elsewhere for the window. Of a minute that is over nothing is learnt. */
  learn(window: LimitWindow, count: number, countedAt: Date): void;
}

/** Counts in this process. All windows end with the clock minute, so the whole count is thrown away there and cannot grow. */
export function processLimiter(now: () => Date): ProcessLimiter {
  let counts = new Map<string, number>();
  let minute = 0;

  const current = (instant: Date) => {
    const thisMinute = minuteOf(instant);
    if (thisMinute !== minute) {
      minute = thisMinute;
      counts = new Map();
    }
    return counts;
  };
  const keyOf = ({ policy, subject }: LimitWindow) => `${policy} ${subject}`;

  return {
    take: async (window) => {
      const instant = now();
      const counted = current(instant);
      const key = keyOf(window);
      const before = counted.get(key) ?? 0;
      if (before >= window.limit)
        return stateOf(window, { count: before, allowed: false, now: instant });
      counted.set(key, before + 1);
      return stateOf(window, { count: before + 1, allowed: true, now: instant });
    },
    giveBack: async (window, chargedAt) => {
      const instant = now();
      const counted = current(instant);
      const key = keyOf(window);
      const before = counted.get(key) ?? 0;
      if (before > 0 && minuteOf(chargedAt) === minuteOf(instant)) counted.set(key, before - 1);
    },
    peek: async (window) => {
      const instant = now();
      const count = current(instant).get(keyOf(window)) ?? 0;
      return stateOf(window, { count, allowed: count < window.limit, now: instant });
    },
    learn: (window, count, countedAt) => {
      const instant = now();
      if (minuteOf(countedAt) === minuteOf(instant)) current(instant).set(keyOf(window), count);
    },
    status: () => ({ kind: "process", shared: false }),
    close: async () => {},
  };
}
