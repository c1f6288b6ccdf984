import type { LimitState, LimitWindow } from "./limiter";

const minute = 60_000;

/** The number of the clock minute: the same for all instances, whatever their time zone. */
export const minuteOf = (now: Date): number => Math.floor(now.getTime() / minute);

/** Whole seconds until the clock minute ends, 1 … 60. */
export const secondsLeft = (now: Date): number => Math.ceil((minute - (now.getTime() % minute)) / 1_000);

/** How a window stands with `used` calls counted; `allowed` is for the caller to know. */
export const stateOf = (window: LimitWindow, used: { count: number; allowed: boolean; now: Date }): LimitState => ({
  policy: window.policy,
  allowed: used.allowed,
  limit: window.limit,
  remaining: Math.max(0, window.limit - used.count),
  reset: secondsLeft(used.now),
});
