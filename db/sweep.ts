import { getTableName, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { secondMs } from "#server/platform/time";
import type { Queryable } from "./client";
import { first } from "./select";

/** Rows are deleted `keep` seconds after the instant in `column`. */
export interface Sweep {
  readonly table: PgTable;
  /** Must lead an index, or the table must be small. */
  readonly column: PgColumn;
  readonly keep: number;
  readonly where?: SQL;
  /** A key that grows with `column` and replaces an index on it. */
  readonly grows?: PgColumn;
}

/** Seconds. A request that began before a row's end may still write to the row. */
export const settlingSeconds = 300;

export const batchSize = 500;

export const secondsBefore = (now: Date, seconds: number): Date =>
  new Date(now.getTime() - seconds * secondMs);

function due({ table, column, keep, where, grows }: Sweep, now: Date, limit: number): SQL {
  const isDue = sql`${column} <= ${secondsBefore(now, keep).toISOString()}::timestamptz and ${where ?? sql`true`}`;
  if (!grows) return sql`${table} where ${isDue} order by ${column} limit ${limit}`;
  // The alias is the table's name, so that the condition refers to its columns.
  return sql`(select ctid, * from ${table} order by ${grows} limit ${limit}) as ${table} where ${isDue}`;
}

/** @returns the count; below `batchSize` no more are due */
export const sweepBatch = (on: Queryable, sweep: Sweep, now: Date): Promise<number> =>
  executeAndCount(
    on,
    sql`delete from ${sweep.table} where ctid = any(array(select ctid from ${due(sweep, now, batchSize)})) returning 1 as one`,
  );

export const countDue = (
  on: Queryable,
  sweep: Sweep,
  { now, most }: { readonly now: Date; readonly most: number },
): Promise<number> => on.$count(sql`(select ctid from ${due(sweep, now, most)}) as due`);

export async function listNextIds(
  on: Queryable,
  table: PgTable & { readonly id: PgColumn },
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ readonly ids: readonly string[]; readonly page: SQL }> {
  const rows = await on
    .select({ id: sql<string>`${table.id}` })
    .from(table as PgTable)
    .where(sql`${table.id} > ${after}::uuid`)
    .orderBy(table.id)
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  return { ids, page: sql`${sql.param(ids)}::uuid[]` };
}

export const tableNameOf = ({ table }: { readonly table: PgTable }): string => getTableName(table);

/** @param statement must return a column `one` */
export async function executeAndCount(on: Queryable, statement: SQL): Promise<number> {
  const changed = on.$with("changed", { one: sql<number>`one`.as("one") }).as(statement);
  const counted = on
    .with(changed)
    .select({ rows: sql`count(*)`.mapWith(Number) })
    .from(changed);
  return (await first(counted))?.rows ?? 0;
}
