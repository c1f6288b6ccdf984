import { max, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "./client";

export type ColumnNameOf<Table extends PgTable> = Extract<
  { [Name in keyof Table]: Table[Name] extends PgColumn ? Name : never }[keyof Table],
  string
>;

const brought = (name: string): SQL => sql`excluded.${sql.identifier(toSnakeCase(name))}`;

const byName = <Name extends string>(names: readonly Name[], value: (name: Name) => SQL) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as { [Key in Name]: SQL };

/** `SET col = excluded.col` for these columns of an upsert. */
export const excludedValues = <
  Table extends PgTable,
  const Names extends readonly ColumnNameOf<Table>[],
>(
  _table: Table,
  names: Names,
) => byName<Names[number]>(names, brought);

/** Like `excludedValues`, but null or an empty text keeps the stored value. */
export const excludedValuesIfKnown = <
  Table extends PgTable,
  const Names extends readonly ColumnNameOf<Table>[],
>(
  table: Table,
  names: Names,
) =>
  byName<Names[number]>(names, (name) => {
    const column = table[name] as PgColumn;
    const known = column.dataType === "string" ? sql`nullif(${brought(name)}, '')` : brought(name);
    return sql`coalesce(${known}, ${column})`;
  });

/** Must equal the expression of the index `players_name`. */
export const nameKey = (name: PgColumn): SQL => sql`lower(${name}) collate "C"`;

const lastLetter = "\u{10FFFF}";

/** Searches a prefix as a range, which the index can serve. */
export function nameStarts(name: PgColumn, text: string): SQL {
  const start = sql`lower(${text}::text)`;
  return sql`(${nameKey(name)} >= ${start} and ${nameKey(name)} < ${start} || ${lastLetter}::text)`;
}

export async function findNewestTime(on: Queryable, column: PgColumn): Promise<Date | null> {
  const [row] = await on.select({ at: max(column) }).from(column.table);
  return (row?.at as Date | null | undefined) ?? null;
}

export interface RequestTiming {
  readonly at: Date;
  /** Null with a manual clock: the statement then counts as executed at `at`. */
  readonly until: Date | null;
}

/** Uses the server's time, because the statement may have waited in a queue or a socket. */
export const executedAt = ({ at, until }: RequestTiming): SQL =>
  until === null ? instantSql(at) : sql`date_trunc('milliseconds', statement_timestamp())`;

export const isBeforeDeadline = ({ until }: RequestTiming): SQL =>
  until === null ? sql`true` : sql`statement_timestamp() < ${instantSql(until)}`;

export const instantSql = (date: Date): SQL => sql`${date.toISOString()}::timestamptz`;
