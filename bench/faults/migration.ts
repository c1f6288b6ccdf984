import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";

/**
 * Brings a database to a schema that has one migration more than this release, which does what migrations do: a column, a value in all
 * rows of a table that calls read, a part at a time, an index beside the calls, and NOT NULL by a check that was validated.
 */
const folder = path.join(mkdtempSync(path.join(tmpdir(), "adjutant-migration-")), "migrations");
cpSync("db/migrations", folder, { recursive: true });
const journalFile = path.join(folder, "meta/_journal.json");
const journal = JSON.parse(readFileSync(journalFile, "utf8"));
journal.entries.push({ idx: journal.entries.length, tag: "9999_tried" });
writeFileSync(journalFile, JSON.stringify(journal));
const statements = [
  "alter table players add column if not exists tried integer default 0",
  "-- by pages of players\nupdate players set tried = 1 where tried = 0 and ctid >= :from and ctid < :to",
  "create index concurrently if not exists players_tried on players (tried)",
  "alter table players drop constraint if exists tried_known, add constraint tried_known check (tried is not null) not valid",
  "alter table players validate constraint tried_known",
  "alter table players alter column tried set not null",
  "alter table players drop constraint if exists tried_known",
];
writeFileSync(
  path.join(folder, "9999_tried.sql"),
  `-- no-transaction\n${statements.join(";\n--> statement-breakpoint\n")};\n`,
);
const database = openPostgres({ url: process.argv[2] ?? "", pools: { general: 2 } });
process.stdout.write(`  applied: ${await migrate(database, folder)}\n`);
await database.close();
