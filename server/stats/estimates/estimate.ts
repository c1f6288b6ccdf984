import { totalRange } from "../total-range";

/** What the model said of a player. */
export interface Estimate {
  readonly score: number;
  /** Of the sum of the four battle stats. */
  readonly min: number;
  readonly max: number;
  readonly expiresAt: Date;
}

const lifetimeMilliseconds = 7 * 86_400_000;
const decimals = 100;

/** Counters read before this moment are too old to say what a player is worth today. */
export const oldestFresh = (now: Date): Date => new Date(now.getTime() - lifetimeMilliseconds);

/** An estimate ends a week after the older of its two sources: the counters, and the moment of the estimate itself. */
export function estimateOf(score: number, { statsAt, at }: { readonly statsAt: Date; readonly at: Date }): Estimate {
  const rounded = Math.round(score * decimals) / decimals;
  const since = Math.min(statsAt.getTime(), at.getTime());
  return { score: rounded, ...totalRange(rounded), expiresAt: new Date(since + lifetimeMilliseconds) };
}
