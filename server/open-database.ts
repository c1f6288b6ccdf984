import { type Database, openPostgres } from "#db/client";
import { assertPatchedDriver } from "#db/connection";
import { assertMigrated, migrate } from "#db/migrate";
import type { Settings } from "./platform/env";
import type { Log } from "./platform/log";
import { secondMs } from "./platform/time";

/** The address for what needs a session of its own, such as PostgreSQL's programs; undefined: the embedded database. */
export const directUrl = ({ databaseUrl, databaseDirectUrl }: Settings): string | undefined =>
  databaseUrl && (databaseDirectUrl ?? databaseUrl);

/** Opens the database of the settings as it is. */
export async function openDatabaseAsIs(settings: Settings): Promise<Database> {
  // The embedded database needs no driver, but a missing patch is reported at the first start, not first in production.
  assertPatchedDriver();
  if (settings.databaseUrl)
    return openPostgres({
      url: settings.databaseUrl,
      directUrl: settings.databaseDirectUrl,
      pools: settings.databasePools,
      deadline: settings.databaseTimeout * secondMs,
      jobDeadline: settings.databaseJobTimeout * secondMs,
      single: settings.serverless !== undefined,
    });
  // Functions of a platform have no embedded database, and no room for one.
  const { openPglite } = await import("#db/pglite");
  return openPglite(settings.dataDir, (sentence) => {
    // The next query could freeze for ever: a dead process is restarted, a frozen one is not.
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  });
}

/** Opens the database of the settings and brings it to this release's schema; where calls start processes, it has to be there. */
export async function openDatabase(settings: Settings, log: Log): Promise<Database> {
  const database = await openDatabaseAsIs(settings);
  try {
    if (settings.serverless) {
      await assertMigrated(database);
      return database;
    }
    const applied = await migrate(database);
    if (applied.length > 0) log.info({ applied }, "database migrated");
    return database;
  } catch (error) {
    // The next attempt opens its own.
    await database.close();
    throw error;
  }
}
