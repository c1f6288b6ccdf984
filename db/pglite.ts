import { mkdir } from "node:fs/promises";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { type Database, wrapPglite } from "./client";
import { holdDirectory } from "./directory-lock";

/** Sized for an embedded server: reopening takes under a second and about 170 MB. */
const startParams = [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB"];

/**
 * Opens the embedded database in `dataDir`, creating it at first.
 * The directory is locked for the life of the process: two processes on one directory would lose rows silently.
 * @throws DirectoryInUse naming the other process
 */
export async function openPglite(dataDir: string, onPanic: (message: string) => void): Promise<Database> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const release = await holdDirectory(dataDir);
  const directory = path.join(dataDir, "pglite");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const pglite = new PGlite({ dataDir: directory, startParams });
  exitOnPanic(pglite, onPanic);
  await pglite.waitReady;
  const database = wrapPglite(pglite);
  return {
    ...database,
    close: async () => {
      await database.close();
      await release();
    },
  };
}

/** An embedded database in memory, for tests; `from` is a dump of a migrated one. */
export async function openPgliteInMemory(from?: Blob): Promise<Database> {
  const pglite = new PGlite({ startParams, ...(from ? { loadDataDir: from } : {}) });
  await pglite.waitReady;
  return wrapPglite(pglite);
}

/** A full disk raises PANIC; the next query would freeze for ever, so the process must end at once. */
function exitOnPanic(pglite: PGlite, onPanic: (message: string) => void): void {
  const run = pglite.execProtocolRaw.bind(pglite);
  pglite.execProtocolRaw = async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      if (isPanic(error)) onPanic(error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
}

const isPanic = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "severity" in error && error.severity === "PANIC";
