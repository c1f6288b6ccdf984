import { type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

/** As in the index of players: lower case, byte order. */
export const nameKey = (name: PgColumn): SQL => sql`lower(${name}) collate "C"`;

const lastLetter = "\u{10FFFF}";

/** A range, which the index can serve. */
export function nameStarts(name: PgColumn, text: string): SQL {
  const start = sql`lower(${text}::text)`;
  return sql`(${nameKey(name)} >= ${start} and ${nameKey(name)} < ${start} || ${lastLetter}::text)`;
}
