import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { errorCodesOf } from "#server/platform/errors";
import { startFault } from "#server/platform/start-fault";
import { minuteMs, secondMs } from "#server/platform/time";
import type { Database, DatabaseAccess, Queryable } from "./client";
import { assertSuitable, rethrowMissingGrant } from "./suitable-database";

/** Restores take this lock too. The number must never change. */
export const migrationLockId = 7_300_110;

const Journal = z.object({ entries: z.array(z.object({ idx: z.int(), tag: z.string() })) });

/** Marks repeatable statements, which are committed one by one. */
export const noTransactionMarker = "-- no-transaction\n";

/**
 * A migration is one transaction. With `-- no-transaction` its statements are committed one by one,
 * and all run again after a crash.
 * @returns the tags applied now
 * @throws DatabaseIsNewer, MigrationChanged, MigrationBlocked
 */
export async function migrate(
  database: Database,
  folder = generatedMigrations(),
): Promise<string[]> {
  const known = await readMigrations(folder);
  await assertSuitable(database);
  return database.exclusively(migrationLockId, async (held) => {
    await createRecord(held).catch((error: unknown) => rethrowMissingGrant(held.query, error));
    const applied = await readApplied(held.query);
    assertKnown(applied, known);
    const pending = known.filter(({ tag }) => !applied.has(tag));
    for (const migration of pending)
      await apply(held, migration).catch((error: unknown) =>
        rethrowMissingGrant(held.query, error),
      );
    return pending.map(({ tag }) => tag);
  });
}

const createRecord = ({ script }: Pick<Database, "script">): Promise<void> =>
  script(
    "create table if not exists schema_migrations (tag text primary key, digest text not null, applied_at timestamptz not null default now())",
  );

/** Undefined if the database was never migrated. */
export async function findAppliedMigrations(on: Queryable): Promise<Applied | undefined> {
  const [table] = rowsOf(
    await on.execute(sql`select to_regclass('schema_migrations') is not null as found`),
  );
  return (table as { found: boolean }).found ? readApplied(on) : undefined;
}

/** @throws DatabaseIsOlder, DatabaseIsNewer, MigrationChanged */
export async function assertMigrated(database: Database): Promise<void> {
  await assertSuitable(database);
  const known = await readMigrations();
  const applied = (await findAppliedMigrations(database.query)) ?? new Map<string, string>();
  assertKnown(applied, known);
  if (applied.size < known.length)
    throw startFault(
      "DatabaseIsOlder",
      "The database is empty, or of an earlier release. Start the server of this release, or run: npm run db:migrate",
    );
}

function assertKnown(applied: Applied, known: readonly Migration[]): void {
  for (const [tag, digest] of applied) {
    const migration = known.find((each) => each.tag === tag);
    if (!migration)
      throw startFault(
        "DatabaseIsNewer",
        `The database holds migration ${tag}, which this release does not know. Start the newer release.`,
      );
    if (migration.digest !== digest)
      throw startFault(
        "MigrationChanged",
        `The database was made by another version of migration ${tag}. Start the commit that made it, or name an empty DATA_DIR or DATABASE_URL.`,
      );
  }
}

const generatedMigrations = () => path.join(process.cwd(), "db/migrations");

interface Migration {
  readonly tag: string;
  readonly text: string;
  readonly digest: string;
}

/** In order. */
export async function readMigrations(folder = generatedMigrations()): Promise<Migration[]> {
  const journal = Journal.parse(
    JSON.parse(await readFile(path.join(folder, "meta/_journal.json"), "utf8")),
  );
  const inOrder = [...journal.entries].sort((a, b) => a.idx - b.idx);
  return Promise.all(
    inOrder.map(async ({ tag }) => {
      const text = await readFile(path.join(folder, `${tag}.sql`), "utf8");
      return { tag, text, digest: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function apply(held: DatabaseAccess, { tag, text, digest }: Migration): Promise<void> {
  // drizzle-kit qualifies foreign keys, but tables are in the role's search_path.
  const unqualified = text.replaceAll('"public".', "");
  const record = sql`insert into schema_migrations (tag, digest) values (${tag}, ${digest})`;
  const statements = unqualified.split("--> statement-breakpoint");
  if (!text.startsWith(noTransactionMarker)) {
    await runTogether(held, {
      tag,
      statements: [...statements.map((statement) => sql.raw(statement)), record],
    });
    return;
  }
  await runStatements(held, { tag, statements });
  await held.query.execute(record);
}

type Applied = ReadonlyMap<string, string>;

async function readApplied(on: Queryable): Promise<Applied> {
  const rows = z
    .array(z.object({ tag: z.string(), digest: z.string() }))
    .parse(rowsOf(await on.execute(sql`select tag, digest from schema_migrations order by tag`)));
  return new Map(rows.map(({ tag, digest }) => [tag, digest]));
}

const rowsOf = (answer: unknown): unknown[] => [
  ...(Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows),
];

/** Milliseconds. Short, because calls queue behind a waiting statement. */
const lockTimeout = 300;
const pauses = { least: secondMs / 2, most: 4 * secondMs };
/** Milliseconds of retries. */
const triedFor = 10 * minuteMs;

const lockNotAvailable = "55P03";

async function runTogether(
  held: DatabaseAccess,
  { tag, statements }: { readonly tag: string; readonly statements: readonly SQL[] },
): Promise<void> {
  await untilUnlocked(tag, () =>
    held.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local lock_timeout = ${lockTimeout}`));
      for (const statement of statements) await tx.execute(statement);
    }),
  );
}

async function runStatements(
  held: DatabaseAccess,
  { tag, statements }: { readonly tag: string; readonly statements: readonly string[] },
): Promise<void> {
  for (const statement of statements) {
    const table = /^-- by pages of (\w+)$/m.exec(statement)?.[1];
    const index = /^create (?:unique )?index concurrently if not exists "?(\w+)"?/im.exec(
      statement,
    )?.[1];
    const drops = /^drop index concurrently/im.test(statement);
    if (table) await runByPages(held, { tag, table, statement });
    else if (index) await buildIndex(held, { index, statement });
    else if (drops) await waitAsLongAsItTakes(held, statement);
    else await runTogether(held, { tag, statements: [sql.raw(statement)] });
  }
}

/** Index statements wait for older transactions without blocking calls. */
async function waitAsLongAsItTakes({ query }: DatabaseAccess, statement: string): Promise<void> {
  await query.execute(sql`set lock_timeout = 0`);
  await query.execute(sql.raw(statement));
}

/** A crashed build leaves an invalid index, which is made anew. */
async function buildIndex(
  held: DatabaseAccess,
  { index, statement }: { index: string; statement: string },
): Promise<void> {
  const [unfinished] = await held.query
    .select({ one: sql`1` })
    .from(sql`pg_index`)
    .where(sql`indexrelid = to_regclass(${`"${index}"`}) and not indisvalid`);
  if (unfinished) await waitAsLongAsItTakes(held, `drop index concurrently "${index}"`);
  await waitAsLongAsItTakes(held, statement);
}

/** Some thousand rows, locked for some ten milliseconds. */
const pagesAtOnce = 64;

/** `:to` is exclusive. */
async function runByPages(
  held: DatabaseAccess,
  { tag, table, statement }: { tag: string; table: string; statement: string },
): Promise<void> {
  const [size] = await held.query
    .select({
      pages:
        sql`pg_relation_size(${table}::regclass) / current_setting('block_size')::bigint`.mapWith(
          Number,
        ),
    })
    .from(sql`(select) as one`);
  for (let from = 0; from < (size?.pages ?? 0); from += pagesAtOnce) {
    const [first, last] = [`'(${from},0)'::tid`, `'(${from + pagesAtOnce},0)'::tid`];
    const begun = performance.now();
    await runTogether(held, {
      tag,
      statements: [sql.raw(statement.replace(/:from\b/g, first).replace(/:to\b/g, last))],
    });
    await wait(performance.now() - begun);
  }
}

async function untilUnlocked(tag: string, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + triedFor;
  for (let pause = pauses.least; ; pause = Math.min(2 * pause, pauses.most)) {
    try {
      return await work();
    } catch (error) {
      if (!errorCodesOf(error).includes(lockNotAvailable)) throw error;
      if (performance.now() > end)
        throw startFault(
          "MigrationBlocked",
          `Migration ${tag} waits for a lock that another session of the database has held for ten minutes. Look for an old transaction in pg_stat_activity, end it, and start again.`,
        );
      await wait(pause);
    }
  }
}
