import { secondMs } from "#server/platform/durations";
import type { Lifetimes } from "#server/platform/env";
import { countExpired, deleteExpired, type ExpiredRows, type Pages, type Part, type Removed } from "./batches";
import type { Queryable } from "./client";

/** What decides whether a row is still needed. */
export interface Moment {
  readonly now: Date;
  readonly lifetimes: Pick<Lifetimes, "refreshReuse">;
}

/** Rows of one table that an index leads to once they are no longer needed. */
export interface Sweep {
  /** As counts and health name it. */
  readonly name: string;
  /** Removes some rows in one statement, going on where the last batch stopped. None removed means that no more are due. */
  remove(on: Queryable, moment: Moment, part: Part): Promise<Removed>;
  /** How many rows are due, counted no further than `most`. */
  countDue(on: Queryable, moment: Moment, most: number): Promise<number>;
}

/**
 * Rows that no index leads to. The table in which the signs stand is read a few pages at a time, from where the last run
 * stopped, round and round.
 */
export interface Scan {
  /** As counts and health name it. */
  readonly name: string;
  /** How many pages the walked table has. */
  countTablePages(on: Queryable): Promise<number>;
  /**
   * Removes what is no longer needed by the rows on these pages, at most `limit` rows, in one statement.
   * @returns how many; fewer than `limit` means that the pages are done
   */
  remove(on: Queryable, moment: Moment, part: Pages & { readonly limit: number }): Promise<number>;
  /** Roughly how many rows are due, where that can be told without a scan; counted no further than `most`. */
  countDue?(on: Queryable, moment: Moment, most: number): Promise<number>;
}

export const before = ({ now }: Moment, seconds: number): Date => new Date(now.getTime() - seconds * secondMs);

/**
 * What ended a moment ago is left alone: a request that began when it was alive may still be writing to it, on an instance
 * whose clock is a little behind.
 */
const settlingSeconds = 300;

/** What ended before this instant is of no use to anybody any more. */
export const settled = (moment: Moment): Date => before(moment, settlingSeconds);

/** A sweep of the rows that are expired at a moment. */
export const sweepByIndex = (name: string, expired: (moment: Moment) => ExpiredRows): Sweep => ({
  name,
  remove: (on, moment, part) => deleteExpired(on, expired(moment), part),
  countDue: (on, moment, most) => countExpired(on, expired(moment), most),
});
