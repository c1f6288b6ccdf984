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
