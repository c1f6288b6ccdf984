/** Which calls: all, those that worked, those that were refused or failed, or those that came too fast. */
export const callOutcomes = ["all", "good", "failed", "limited"] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** The calls of an application over some time. */
export interface TrafficFigures {
  readonly calls: number;
  /** Those of them that ended with a status of 400 or above. */
  readonly errors: number;
  /** Players in whose name they were made. */
  readonly players: number;
  /** How long an answer took, in microseconds; null where there was no call. */
  readonly medianMicros: number | null;
  readonly p95Micros: number | null;
}

/** One call of an application's, as its developer sees it. */
export interface LoggedCall {
  readonly id: string;
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly failureCode: number | null;
  readonly micros: number;
}

/** How far players came with an application, each counted once; a player in a step was in all before it. */
export interface Funnel {
  /** Saw the consent page. */
  readonly shown: number;
  readonly approved: number;
  /** The application exchanged the code for tokens. */
  readonly exchanged: number;
  /** The application called the API in their name. */
  readonly called: number;
}
