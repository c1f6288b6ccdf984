import type { LimitWindow } from "./limiter";

/** What is done to one counter. */
export interface Count {
  readonly window: LimitWindow;
  /** The number of the clock minute, by the service's own clock: the next one is another counter. */
  readonly minute: number;
  /** 1 charges a call, -1 gives one back, 0 only looks. */
  readonly by: 1 | 0 | -1;
}

/** Where processes count together: a Redis that is reached in one way or another. */
export interface CounterStore {
  readonly kind: "redis" | "upstash";
  /**
   * Counts what came in one turn of the event loop. A refused call counts nothing, and nothing goes below zero.
   * @returns what each counter holds afterwards, in order; for a refused call one more than its limit; undefined for what is no
   *   counter
   * @throws where the store does not count
   */
  count(counts: readonly Count[]): Promise<(number | undefined)[]>;
  close(): Promise<void>;
}
