import { minuteMs } from "../durations";

/** One counter: a policy applied to somebody. Windows are clock minutes, the same for all instances. */
export interface LimitWindow {
  /** The policy's name, as it appears in `details.policy`: "holder", "peer", "chain-list", … */
  readonly policy: string;
  /** The subject it counts for. */
  readonly subject: string;
  /** Calls a minute. */
  readonly limit: number;
}

/** How a window stands after a call. */
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
  /** How the window stands, without charging it. */
  peek(window: LimitWindow): Promise<LimitState>;
  /** What stands behind it at the moment, for health. */
  status(): { readonly kind: "process" | "redis" | "upstash"; readonly shared: boolean };
  close(): Promise<void>;
}

/** The number of the clock minute: the same for all instances, whatever their time zone. */
export const minuteOf = (now: Date): number => Math.floor(now.getTime() / minuteMs);

/** Whole seconds until the clock minute ends, 1 … 60. */
export const secondsLeft = (now: Date): number => Math.ceil((minuteMs - (now.getTime() % minuteMs)) / 1_000);

/** How a window stands with `used` calls counted; `allowed` is for the caller to know. */
export const stateOf = (window: LimitWindow, used: { count: number; allowed: boolean; now: Date }): LimitState => ({
  policy: window.policy,
  allowed: used.allowed,
  limit: window.limit,
  remaining: Math.max(0, window.limit - used.count),
  reset: secondsLeft(used.now),
});
