import { type Database, openPostgres } from "#db/client";
import { assertPatchedDriver } from "#db/connection";
import { hasPglite, openPglite } from "#db/pglite";
import type { Settings } from "#server/platform/env";
import { isStartFault, startFault } from "#server/platform/start-fault";

/**
 * Opens the database of the settings as it is, without bringing it to this release's schema.
 * @returns undefined where a running server holds it
 * @throws NoDatabase where there is no embedded one yet
 */
export async function openForCommand(settings: Settings): Promise<Database | undefined> {
  assertPatchedDriver();
  const { databaseUrl: url, databaseTimeout, databaseJobTimeout, dataDir } = settings;
  if (url) return openPostgres({ url, deadline: databaseTimeout * 1_000, jobDeadline: databaseJobTimeout * 1_000 });
  if (!(await hasPglite(dataDir)))
    throw startFault(
      "NoDatabase",
      `There is no database in ${dataDir}. Set DATABASE_URL or DATA_DIR as the server has it.`,
    );
  try {
    return await openPglite(dataDir, (sentence) => {
      process.stderr.write(`${sentence}\n`);
      process.exit(1);
    });
  } catch (error) {
    if (isStartFault(error) && error instanceof Error && error.name === "DirectoryInUse") return undefined;
    throw error;
  }
}
