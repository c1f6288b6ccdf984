import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * Typical migrations under load: a column, its backfill, an index, and NOT NULL by a validated
 * check.
 */
const statements = [
  "alter table players add column if not exists tried integer default 0",
  "-- by pages of players\nupdate players set tried = 1 where tried = 0 and ctid >= :from and ctid < :to",
  "create index concurrently if not exists players_tried on players (tried)",
  "alter table players drop constraint if exists tried_known, add constraint tried_known check (tried is not null) not valid",
  "alter table players validate constraint tried_known",
  "alter table players alter column tried set not null",
  "alter table players drop constraint if exists tried_known",
];

/** This release's migrations and two more: one statement by statement, one in a transaction. */
export async function nextRelease(): Promise<string> {
  const folder = path.join(await mkdtemp(path.join(tmpdir(), "next-release-")), "migrations");
  await cp("db/migrations", folder, { recursive: true });
  const journalFile = path.join(folder, "meta/_journal.json");
  const { entries } = JSON.parse(await readFile(journalFile, "utf8"));
  const add = async (tag: string, text: string) => {
    await writeFile(path.join(folder, `${tag}.sql`), text);
    entries.push({ idx: entries.length, tag });
  };
  await add(
    "9998_tried",
    `-- no-transaction\n${statements.join(";\n--> statement-breakpoint\n")};\n`,
  );
  await add("9999_tried-again", "alter table players add column tried_again text");
  await writeFile(journalFile, JSON.stringify({ entries }));
  return folder;
}
