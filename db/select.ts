import { and, eq, lt, or, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { PageCursor } from "#server/platform/paging";
import type { ColumnNameOf } from "./expressions";

export const columnsOf = <
  Table extends PgTable,
  const Names extends readonly ColumnNameOf<Table>[],
>(
  table: Table,
  names: Names,
): Pick<Table, Names[number]> =>
  Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Names[number]>;

export const first = async <Row>(rows: PromiseLike<readonly Row[]>): Promise<Row | undefined> =>
  (await rows)[0];

export const hasRows = async (rows: PromiseLike<readonly unknown[]>): Promise<boolean> =>
  (await rows).length > 0;

/** Keyset paging, newest first. An impossible cursor gives the first page. */
export function isAfterCursor(
  { at, id }: { readonly at: PgColumn; readonly id: PgColumn },
  cursor: PageCursor | null,
): SQL | undefined {
  if (!cursor) return undefined;
  const isNumber = id.dataType === "bigint";
  if (isNumber && !/^\d{1,18}$/.test(cursor.id)) return undefined;
  const row = isNumber ? BigInt(cursor.id) : cursor.id;
  return or(lt(at, cursor.at), and(eq(at, cursor.at), lt(id, row)));
}
