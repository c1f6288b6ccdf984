import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client";

export async function serverMajor(on: Queryable): Promise<number> {
  const [row] = await on
    .select({ number: sql`current_setting('server_version_num')::int / 10000`.mapWith(Number) })
    .from(one);
  return row?.number ?? 0;
}

/** True without tables, views and sequences. */
export async function isEmpty(on: Queryable): Promise<boolean> {
  const made = await on
    .select({ one: sql`1` })
    .from(sql`pg_class join pg_namespace on pg_namespace.oid = relnamespace`)
    .where(
      sql`nspname <> 'information_schema' and nspname !~ '^pg_' and relkind in ('r', 'p', 'v', 'm', 'S')`,
    )
    .limit(1);
  return made.length === 0;
}

const one = sql`(select 1) as one`;
