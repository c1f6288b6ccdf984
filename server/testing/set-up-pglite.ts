import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { TestProject } from "vitest/node";
import { wrapPglite } from "#db/pglite";
import { migrateTemplate } from "./migrate-template";

declare module "vitest" {
  interface ProvidedContext {
    pgliteTemplate: string;
  }
}

const cache = "node_modules/.cache/adjutant";
/** Unused databases are half of the files to load. */
const dropOtherDatabases = [
  "update pg_database set datistemplate = false where datname <> current_database()",
  "drop database template0",
  "drop database template1",
];

/**
 * Creating an embedded database takes seconds, loading a dump a third of a second. The dump is kept
 * until a migration changes.
 */
export default async function setUp(project: TestProject): Promise<void> {
  const file = path.resolve(cache, `pglite-${digestOfMigrations()}.tar`);
  if (!existsSync(file)) await writeTemplate(file);
  project.provide("pgliteTemplate", file);
}

async function writeTemplate(file: string): Promise<void> {
  const pglite = await PGlite.create();
  await migrateTemplate(wrapPglite(pglite));
  for (const statement of dropOtherDatabases) await pglite.exec(statement);
  const dump = await pglite.dumpDataDir("none");
  await pglite.close();
  await mkdir(cache, { recursive: true });
  for (const old of readdirSync(cache).filter((name) => /^pglite-\w+\.tar$/.test(name)))
    await rm(path.join(cache, old));
  // Renamed at the end, so that no other run loads half a file.
  const aside = `${file}.${process.pid}`;
  await writeFile(aside, dump.stream());
  await rename(aside, file);
}

function digestOfMigrations(): string {
  const sql = readdirSync("db/migrations").filter((name) => name.endsWith(".sql"));
  const inputs = [
    ...sql.sort().map((name) => `db/migrations/${name}`),
    "db/migrate.ts",
    "db/partitions.ts",
    "server/testing/migrate-template.ts",
    "server/testing/movable-clock.ts",
    "package-lock.json",
    "server/testing/set-up-pglite.ts",
  ];
  const hash = createHash("sha256");
  for (const input of inputs) hash.update(readFileSync(input));
  return hash.digest("hex").slice(0, 16);
}
