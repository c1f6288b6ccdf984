import { max } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "./client";

/** The latest instant in a column; null for an empty table. */
export async function newestOf(on: Queryable, column: PgColumn): Promise<Date | null> {
  const [row] = await on.select({ at: max(column) }).from(column.table);
  return (row?.at as Date | null | undefined) ?? null;
}
