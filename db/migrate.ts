import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { startFault } from "#server/platform/start-fault";
import type { Access, Database, Queryable } from "./client";
import { runStatements, runTogether } from "./migration-steps";
import { assertSuitable, explainGrants } from "./suitable-database";

/** One lock for migrations and restores; the constant must never change. */
export const migrationLock = 7_300_110;

const Journal = z.object({ entries: z.array(z.object({ idx: z.int(), tag: z.string() })) });

/** First line of a migration with repeatable statements that are committed one by one. */
export const noTransaction = "-- no-transaction\n";

/**
 * An advisory lock makes concurrent calls safe. A migration is one transaction; with `--
 * no-transaction` it runs statement by statement, and from the first again after a crash. A
 * statement without its lock backs off, so calls never queue.
 * @returns the tags applied now, oldest first
 * @throws DatabaseIsNewer for an unknown recorded migration, MigrationBlocked
 */
export async function migrate(
  database: Database,
  folder = generatedMigrations(),
): Promise<string[]> {
  const known = await knownMigrations(folder);
  await assertSuitable(database);
  return database.exclusively(migrationLock, async (held) => {
    await createRecord(held).catch((error: unknown) => explainGrants(held.query, error));
    const recorded = await recordedTags(held);
    assertKnown(recorded, known);
    const pending = known.filter((tag) => !recorded.includes(tag));
    for (const tag of pending) {
      const text = await readFile(path.join(folder, `${tag}.sql`), "utf8");
      await apply(held, tag, text).catch((error: unknown) => explainGrants(held.query, error));
    }
    return pending;
  });
}

const createRecord = ({ script }: Pick<Database, "script">): Promise<void> =>
  script(
    "create table if not exists schema_migrations (tag text primary key, digest text not null, applied_at timestamptz not null default now())",
  );

export async function findMigrations(on: Queryable): Promise<string[] | undefined> {
  const [table] = rowsOf(
    await on.execute(sql`select to_regclass('schema_migrations') is not null as found`),
  );
  return (table as { found: boolean }).found ? recordedTags({ query: on }) : undefined;
}

/** @throws DatabaseIsOlder, DatabaseIsNewer */
export async function assertMigrated(database: Database): Promise<void> {
  await assertSuitable(database);
  const known = await knownMigrations();
  const held = (await findMigrations(database.query)) ?? [];
  assertKnown(held, known);
  if (held.length < known.length)
    throw startFault(
      "DatabaseIsOlder",
      "The database is empty, or of an earlier release. Start the server of this release, or run: npm run db:migrate",
    );
}

function assertKnown(held: readonly string[], known: readonly string[]): void {
  const unknown = held.find((tag) => !known.includes(tag));
  if (unknown)
    throw startFault(
      "DatabaseIsNewer",
      `The database holds migration ${unknown}, which this release does not know. Start the newer release.`,
    );
}

const generatedMigrations = () => path.join(process.cwd(), "db/migrations");

export async function knownMigrations(folder = generatedMigrations()): Promise<string[]> {
  const journal = Journal.parse(
    JSON.parse(await readFile(path.join(folder, "meta/_journal.json"), "utf8")),
  );
  return [...journal.entries].sort((a, b) => a.idx - b.idx).map((entry) => entry.tag);
}

async function apply(held: Access, tag: string, text: string): Promise<void> {
  const digest = createHash("sha256").update(text).digest("hex");
  // drizzle-kit qualifies each foreign key; tables are in the role's search_path.
  const unqualified = text.replaceAll('"public".', "");
  const record = sql`insert into schema_migrations (tag, digest) values (${tag}, ${digest})`;
  const statements = unqualified.split("--> statement-breakpoint");
  if (!text.startsWith(noTransaction)) {
    await runTogether(held, {
      tag,
      statements: [...statements.map((statement) => sql.raw(statement)), record],
    });
    return;
  }
  await runStatements(held, { tag, statements });
  await held.query.execute(record);
}

async function recordedTags({ query }: Pick<Access, "query">): Promise<string[]> {
  return z
    .array(z.object({ tag: z.string() }))
    .parse(rowsOf(await query.execute(sql`select tag from schema_migrations order by tag`)))
    .map((row) => row.tag);
}

const rowsOf = (answer: unknown): unknown[] => [
  ...(Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows),
];
