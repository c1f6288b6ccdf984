import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/** `npm run db:baseline`, only before a release: a database with a removed migration is refused. */
const folder = path.join(import.meta.dirname, "../db/migrations");
/** Holds statements that drizzle-kit does not generate. */
const byHand = "0001_by-hand";
/** Partition keys, because drizzle-kit cannot partition. */
const partitionedBy: Readonly<Record<string, string>> = {
  request_log: "at",
  audit_log: "at",
  events: "seq",
};

for (const name of readdirSync(folder))
  if (name !== `${byHand}.sql`) rmSync(path.join(folder, name), { recursive: true });
execFileSync("npx", ["drizzle-kit", "generate", "--name", "baseline"], { stdio: "inherit" });

const baseline = path.join(folder, "0000_baseline.sql");
let text = readFileSync(baseline, "utf8").replaceAll('"public".', "");
for (const [table, column] of Object.entries(partitionedBy)) {
  const begin = text.indexOf(`CREATE TABLE "${table}" (`);
  const end = text.indexOf("\n);\n", begin);
  if (begin < 0 || end < 0) throw new Error(`There is no table ${table} to partition.`);
  text = `${text.slice(0, end)}\n) PARTITION BY RANGE ("${column}");\n${text.slice(end + "\n);\n".length)}`;
}
writeFileSync(baseline, text);

const journalFile = path.join(folder, "meta/_journal.json");
const journal = JSON.parse(readFileSync(journalFile, "utf8"));
journal.entries.push({ ...journal.entries[0], idx: 1, tag: byHand });
writeFileSync(journalFile, `${JSON.stringify(journal, null, 2)}\n`);
