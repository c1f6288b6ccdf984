import { and, eq, lt, or, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { PageCursor } from "#server/platform/page-cursor";

/** What comes after a cursor in a log that runs from the newest to the oldest; undefined for a cursor that is none of its rows. */
export function isAfter({ at, id }: { at: PgColumn; id: PgColumn }, cursor: PageCursor | null): SQL | undefined {
  if (!cursor || !/^\d{1,18}$/.test(cursor.id)) return undefined;
  return or(lt(at, cursor.at), and(eq(at, cursor.at), lt(id, BigInt(cursor.id))));
}
