import { sql } from "drizzle-orm";
import { errorCodesOf } from "#server/platform/errors";
import { wrongSetting } from "#server/platform/start-fault";
import type { Database, Queryable } from "./client";
import { sessionFormats, untrackedFormats } from "./pool-settings";
import { first, hasRows } from "./select";

interface FoundSetting {
  readonly name: string;
  readonly value: string;
}

/** Players' names may contain any character. */
const neededEncoding = "UTF8";

/** A pooler may have dropped our connection settings. @throws WrongSetting */
export async function assertSuitable({ kind, query }: Database): Promise<void> {
  if (kind === "pglite") return;
  const needed = { ...sessionFormats, ...untrackedFormats };
  const names = ["server_encoding", ...Object.keys(needed)];
  const found: FoundSetting[] = await query
    .select({ name: sql<string>`name`, value: sql<string>`current_setting(name)` })
    .from(sql`unnest(${sql.param(names)}::text[]) as name`);
  const values = new Map(found.map(({ name, value }) => [name, value]));
  const encoding = values.get("server_encoding");
  if (encoding !== neededEncoding)
    throw wrongSetting(
      `DATABASE_URL is wrong: the database has the encoding ${encoding}, which cannot hold every name. Make one by: create database … encoding 'UTF8' template template0`,
    );
  for (const [name, value] of Object.entries(needed)) {
    const held = values.get(name) ?? "";
    if (held.toLowerCase() !== value.toLowerCase())
      throw wrongSetting(
        `DATABASE_URL is wrong: its role or database sets ${name} to ${held}, and the pooler keeps our ${value} from it. Run: alter role … set ${name} = '${value}'`,
      );
  }
}

const insufficientPrivilege = "42501";
const noSchema = "3F000";

/** @throws WrongSetting if a grant is missing, else the error itself */
export async function rethrowMissingGrant(query: Queryable, error: unknown): Promise<never> {
  const codes = errorCodesOf(error);
  if (!codes.includes(insufficientPrivilege) && !codes.includes(noSchema)) throw error;
  const found = query
    .select({
      role: sql<string>`quote_ident(current_user)`,
      database: sql<string>`quote_ident(current_database())`,
      schema: sql<string | null>`quote_ident(current_schema())`,
      path: sql<string>`current_setting('search_path')`,
      creates: sql<boolean>`coalesce(has_schema_privilege(current_schema(), 'create'), false)`,
    })
    .from(one);
  const row = await first(found);
  if (!row) throw error;
  const { role, database, schema, path, creates } = row;
  if (schema === null)
    throw wrongSetting(
      `DATABASE_URL is wrong: the database ${database} has no schema of the search_path ${path} that ${role} may use. Run there: create schema … authorization ${role}`,
    );
  if (!creates)
    throw wrongSetting(
      `DATABASE_URL is wrong: ${role} may not create tables in the schema ${schema} of the database ${database}. Run there: grant create on schema ${schema} to ${role}`,
    );
  throw error;
}

export async function readServerMajor(on: Queryable): Promise<number> {
  const major = sql`current_setting('server_version_num')::int / 10000`.mapWith(Number);
  return (await first(on.select({ major }).from(one)))?.major ?? 0;
}

export async function isEmpty(on: Queryable): Promise<boolean> {
  const made = on
    .select({ one: sql`1` })
    .from(sql`pg_class join pg_namespace on pg_namespace.oid = relnamespace`)
    .where(
      sql`nspname <> 'information_schema' and nspname !~ '^pg_' and relkind in ('r', 'p', 'v', 'm', 'S')`,
    )
    .limit(1);
  return !(await hasRows(made));
}

const one = sql`(select 1) as one`;
