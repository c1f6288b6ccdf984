import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openPostgres } from "#db/client";
import { migrate } from "#db/migrate";

/** Brings a database to a schema that has one migration more than this release: rows changed a part at a time, and an index beside the calls. */
const folder = path.join(mkdtempSync(path.join(tmpdir(), "adjutant-migration-")), "migrations");
cpSync("db/migrations", folder, { recursive: true });
const journalFile = path.join(folder, "meta/_journal.json");
const journal = JSON.parse(readFileSync(journalFile, "utf8"));
journal.entries.push({ idx: journal.entries.length, tag: "9999_tried" });
writeFileSync(journalFile, JSON.stringify(journal));
const statements = [
  "create table if not exists migrated as select n, n::text as word from generate_series(1, 700000) n",
  "drop index concurrently if exists migrated_word",
  "create index concurrently if not exists migrated_word on migrated (word)",
  "alter table accounts add column if not exists tried int",
  "alter table accounts drop column tried",
  "select pg_sleep(4)",
];
writeFileSync(
  path.join(folder, "9999_tried.sql"),
  `-- no-transaction\n${statements.join(";\n--> statement-breakpoint\n")};\n`,
);
const database = openPostgres({ url: process.argv[2] ?? "", pools: { general: 2 } });
process.stdout.write(`  applied: ${await migrate(database, folder)}\n`);
await database.close();
