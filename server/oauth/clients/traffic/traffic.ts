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
