import { type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";

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
