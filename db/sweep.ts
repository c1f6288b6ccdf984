import { and, count, getTableName, lte, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Lifetimes } from "#server/platform/environment-variables";
import { secondMs } from "#server/platform/time";
import type { Queryable } from "./client";

/** The facts that decide whether a row is still needed. */
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
  /** The number of pages of the table that is scanned. */
  countTablePages(on: Queryable): Promise<number>;
  /**
   * Removes what is no longer needed by the rows on these pages, at most `limit` rows, in one statement.
   * @returns how many; fewer than `limit` means that the pages are done
   */
  remove(on: Queryable, moment: Moment, part: Pages & { readonly limit: number }): Promise<number>;
  /** Roughly how many rows are due, where that can be told without a scan; counted no further than `most`. */
  countDue?(on: Queryable, moment: Moment, most: number): Promise<number>;
}

export const before = ({ now }: Moment, seconds: number): Date =>
  new Date(now.getTime() - seconds * secondMs);

/**
 * What ended a moment ago is left alone: a request that began when it was alive may still be writing to it, on an instance
 * whose clock is a little behind.
 */
const settlingSeconds = 300;

/** The instant before which a row must have ended to be removed. */
export const settled = (moment: Moment): Date => before(moment, settlingSeconds);

/** A sweep of the rows that are expired at a moment. */
export const sweepByIndex = (name: string, expired: (moment: Moment) => ExpiredRows): Sweep => ({
  name,
  remove: (on, moment, part) => deleteExpired(on, expired(moment), part),
  countDue: (on, moment, most) => countExpired(on, expired(moment), most),
});

/** Rows of a table that are due to go. */
export interface ExpiredRows {
  readonly table: PgTable;
  readonly where: SQL;
  /** The column in whose order they are found. */
  readonly first: PgColumn;
  /** What follows `select ctid from`, to find at most so many of them without reading the whole table. */
  readonly from: (part: Part) => SQL;
}

/** At most so many rows; from this value of the column on, where a batch before it came so far. */
interface Part {
  readonly limit: number;
  readonly reached?: string | undefined;
}

/** The rows that a batch removed, and how far it came. */
interface Removed {
  readonly rows: number;
  readonly reached: string | undefined;
}

/** Pages of a table's heap, from the first up to but not including the second. */
interface Pages {
  readonly from: number;
  readonly to: number;
}

/** The rows whose instant in this column, which an index leads with, is `by` or earlier; only some of them, where told. */
export function expiredBy(table: PgTable, column: PgColumn, by: Date, only?: SQL): ExpiredRows {
  const where = only ? sql`${lte(column, by)} and ${only}` : lte(column, by);
  return {
    table,
    where,
    first: column,
    from: ({ limit, reached }) =>
      sql`${table} where ${and(where, goingOn(column, reached))} order by ${column} limit ${limit}`,
  };
}

/** The same of a log, whose ids grow with time: no index on the instant is needed, because the lowest ids are the oldest. */
export function oldestBy(
  table: PgTable,
  columns: { readonly id: PgColumn; readonly at: PgColumn },
  by: Date,
): ExpiredRows {
  const { id, at } = columns;
  const where = lte(at, by);
  // The inner query bears the table's name, so that the condition means its columns.
  const lowest = ({ limit, reached }: Part) =>
    sql`(select ctid, * from ${table} where ${goingOn(id, reached) ?? sql`true`} order by ${id} limit ${limit}) as ${table}`;
  return { table, where, first: id, from: (part) => sql`${lowest(part)} where ${where}` };
}

/** As long as somebody's old transaction runs (a backup), the index still leads over all that was deleted before. */
const goingOn = (column: PgColumn, reached: string | undefined): SQL | undefined =>
  reached === undefined ? undefined : sql`${column} >= ${reached}`;

/** Deletes some of the rows, in one statement. One that somebody changed meanwhile is looked at again first. */
async function deleteExpired(
  on: Queryable,
  { table, where, first, from }: ExpiredRows,
  part: Part,
): Promise<Removed> {
  const gone = on.$with("gone", { place: sql<string>`place`.as("place") }).as(sql`
    delete from ${table} where ctid = any(array(select ctid from ${from(part)})) and ${where} returning ${first} as place`);
  const [row] = await on
    .with(gone)
    .select({ rows: count(), reached: sql<string | null>`max(place)::text` })
    .from(gone);
  return { rows: row?.rows ?? 0, reached: row?.reached ?? part.reached };
}

/** How many of the rows there are, counted no further than `most`. */
async function countExpired(on: Queryable, { from }: ExpiredRows, most: number): Promise<number> {
  const [row] = await on
    .select({ expired: count() })
    .from(sql`(select ctid from ${from({ limit: most })}) as expired`);
  return row?.expired ?? 0;
}

/** @param chosen a query for the `ctid` of rows of the table @returns how many rows are gone */
export const deleteChosen = (on: Queryable, table: PgTable, chosen: SQL): Promise<number> =>
  countChanged(on, sql`delete from ${table} where ctid = any(array(${chosen})) returning 1 as one`);

/** Runs a statement that changes rows and returns one column `one`. @returns how many rows */
export async function countChanged(on: Queryable, statement: SQL): Promise<number> {
  const changed = on.$with("changed", { one: sql<number>`one`.as("one") }).as(statement);
  const [row] = await on.with(changed).select({ rows: count() }).from(changed);
  return row?.rows ?? 0;
}

/** How many pages the table's heap has. */
export async function countTablePages(on: Queryable, table: PgTable): Promise<number> {
  const [row] = await on
    .select({ pages: sql`heap.bytes / current_setting('block_size')::bigint`.mapWith(Number) })
    .from(sql`(select pg_relation_size(${getTableName(table)}::regclass) as bytes) as heap`);
  return row?.pages ?? 0;
}

/** Whether a row of the table lies on these pages. PostgreSQL reads those pages alone, one after the other. */
export const onPages = (table: PgTable, { from, to }: Pages): SQL =>
  sql`${table}.ctid >= ${`(${from},0)`}::tid and ${table}.ctid < ${`(${to},0)`}::tid`;
