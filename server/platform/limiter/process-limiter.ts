import { type Limiter, type LimitWindow, minuteOf, stateOf } from "./limiter";

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
      if (before >= window.limit) return stateOf(window, { count: before, allowed: false, now: instant });
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
