import { max, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Queryable } from "./client";

export type ColumnOf<Table extends PgTable> = Extract<
  { [Name in keyof Table]: Table[Name] extends PgColumn ? Name : never }[keyof Table],
  string
>;

/** `SET col = excluded.col` for these columns of an upsert. */
export function excluded<Table extends PgTable, const Names extends readonly ColumnOf<Table>[]>(
  _table: Table,
  names: Names,
): { [Name in Names[number]]: SQL } {
  const pairs = names.map((name) => [name, sql`excluded.${sql.identifier(toSnakeCase(name))}`]);
  return Object.fromEntries(pairs) as { [Name in Names[number]]: SQL };
}

/** The same, but null, or "" in a text, keeps the stored value. */
export function excludedIfKnown<
  Table extends PgTable,
  const Names extends readonly ColumnOf<Table>[],
>(table: Table, names: Names): { [Name in Names[number]]: SQL } {
  const pairs = names.map((name) => {
    const column = table[name] as PgColumn;
    const brought = sql`excluded.${sql.identifier(toSnakeCase(name))}`;
    return [
      name,
      sql`coalesce(${column.dataType === "string" ? sql`nullif(${brought}, '')` : brought}, ${column})`,
    ];
  });
  return Object.fromEntries(pairs) as { [Name in Names[number]]: SQL };
}

/** As in the index of players. */
export const nameKey = (name: PgColumn): SQL => sql`lower(${name}) collate "C"`;

const lastLetter = "\u{10FFFF}";

/** A range, which the index can serve. */
export function nameStarts(name: PgColumn, text: string): SQL {
  const start = sql`lower(${text}::text)`;
  return sql`(${nameKey(name)} >= ${start} and ${nameKey(name)} < ${start} || ${lastLetter}::text)`;
}

export async function newestOf(on: Queryable, column: PgColumn): Promise<Date | null> {
  const [row] = await on.select({ at: max(column) }).from(column.table);
  return (row?.at as Date | null | undefined) ?? null;
}

export interface RequestTime {
  readonly at: Date;
  /** Null with a manual clock: the statement then counts as executed at `at`. */
  readonly until: Date | null;
}

/** The statement may have waited in a queue or a socket. */
export const executedAt = ({ at, until }: RequestTime): SQL =>
  until === null ? instantSql(at) : sql`date_trunc('milliseconds', statement_timestamp())`;

export const isAwaited = ({ until }: RequestTime): SQL =>
  until === null ? sql`true` : sql`statement_timestamp() < ${instantSql(until)}`;

export const instantSql = (date: Date): SQL => sql`${date.toISOString()}::timestamptz`;
