import { type SQL, sql } from "drizzle-orm";

/** The time of a request that the database is to carry out. */
export interface RequestTime {
  readonly at: Date;
  /** Nobody waits for the outcome any longer. Null where a clock is moved by hand: then it counts as done at `at`. */
  readonly until: Date | null;
}

/**
 * The instant at which the statement is carried out, by the database's own clock: it may have waited in a queue, or in a
 * socket of a database that stood still.
 */
export const executedAt = ({ at, until }: RequestTime): SQL =>
  until === null ? instantSql(at) : sql`date_trunc('milliseconds', statement_timestamp())`;

/** Whether somebody still waits for the outcome when the statement is carried out. */
export const isAwaited = ({ until }: RequestTime): SQL =>
  until === null ? sql`true` : sql`statement_timestamp() < ${instantSql(until)}`;

/** A moment as SQL says it. */
export const instantSql = (date: Date): SQL => sql`${date.toISOString()}::timestamptz`;
