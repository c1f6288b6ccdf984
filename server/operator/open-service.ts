import type { Database } from "#db/client";
import { hasPglite } from "#db/pglite";
import { openDatabaseAsIs } from "#server/open-database";
import type { Settings } from "#server/platform/env";
import { isStartFault, startFault } from "#server/platform/start-fault";

/**
 * Opens the database without migrating it.
 * @returns undefined if a running server holds it
 * @throws NoDatabase if there is no embedded one yet
 */
export async function openForCommand(settings: Settings): Promise<Database | undefined> {
  const { databaseUrl, dataDir } = settings;
  if (!databaseUrl && !(await hasPglite(dataDir)))
    throw startFault(
      "NoDatabase",
      `There is no database in ${dataDir}. Set DATABASE_URL or DATA_DIR as the server has it.`,
    );
  try {
    return await openDatabaseAsIs(settings);
  } catch (error) {
    if (isStartFault(error) && error instanceof Error && error.name === "DirectoryInUse")
      return undefined;
    throw error;
  }
}
