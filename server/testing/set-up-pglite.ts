import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import type { TestProject } from "vitest/node";
import { wrapPglite } from "#db/client";
import { migrate } from "#db/migrate";

declare module "vitest" {
  interface ProvidedContext {
    /** A file with the dump of a migrated embedded database, which every test file loads. */
    pgliteTemplate: string;
  }
}

/** Vitest's global set-up: creating an embedded database takes seconds, loading the dump of one a third of a second. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const pglite = await PGlite.create();
  await migrate(wrapPglite(pglite));
  const dump = await pglite.dumpDataDir("none");
  await pglite.close();
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-pglite-"));
  const file = path.join(folder, "template.tar");
  await writeFile(file, dump.stream());
  project.provide("pgliteTemplate", file);
  return () => rm(folder, { recursive: true, force: true });
}
