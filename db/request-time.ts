import { type SQL, sql } from "drizzle-orm";

export interface RequestTime {
  readonly at: Date;
  /**
   * Deadline of the caller. Null with a manual clock: the statement then counts as executed at
   * `at`.
   */
  readonly until: Date | null;
}

/** Execution time by the database's clock: the statement may have waited in a queue or a socket. */
export const executedAt = ({ at, until }: RequestTime): SQL =>
  until === null ? instantSql(at) : sql`date_trunc('milliseconds', statement_timestamp())`;

export const isAwaited = ({ until }: RequestTime): SQL =>
  until === null ? sql`true` : sql`statement_timestamp() < ${instantSql(until)}`;

export const instantSql = (date: Date): SQL => sql`${date.toISOString()}::timestamptz`;
