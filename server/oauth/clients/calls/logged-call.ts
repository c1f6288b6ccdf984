import type { FailureNote } from "#db/schema/operations";

/** Which calls: all, those that worked, those that were refused or failed, or those of one status or of its hundred. */
export const callOutcomes = [
  "all",
  "good",
  "failed",
  "limited",
  "400",
  "401",
  "403",
  "404",
  "409",
  "422",
  "5xx",
] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** How far back a list reaches. */
export const callRanges = ["1h", "24h", "7d", "30d"] as const;
export type CallRange = (typeof callRanges)[number];

/** The name under which calls stand that no endpoint answered. */
export const unmatchedRoute = "unmatched";

/** One call of an application's, as its developer sees it: never from which address, which is the player's as often as not. */
export interface LoggedCall {
  readonly id: string;
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  /** The route's template. */
  readonly route: string;
  readonly status: number;
  readonly failureCode: number | null;
  readonly micros: number;
  /** In whose name; null where the player let the application in no more, or has no account here. */
  readonly player: CallingPlayer | null;
  /** What the answer said and which names were sent; null for calls that succeeded, and for the rest of very many failures. */
  readonly failure: FailureNote | null;
}

export interface CallingPlayer {
  readonly id: number;
  readonly name: string;
}
