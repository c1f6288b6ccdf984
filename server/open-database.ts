import { type Database, openPostgres } from "#db/client";
import { assertPatchedDriver } from "#db/connection";
import { assertMigrated, migrate } from "#db/migrate";
import type { Settings } from "./platform/env";
import type { Log } from "./platform/log";
import { secondMs } from "./platform/time";

/** The address for PostgreSQL's programs; undefined for the embedded database. */
export const directUrl = ({ databaseUrl, databaseDirectUrl }: Settings): string | undefined =>
  databaseUrl && (databaseDirectUrl ?? databaseUrl);

export async function openDatabaseAsIs(settings: Settings): Promise<Database> {
  // An unpatched driver must fail at the first start.
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
  // Imported late: serverless functions have no room for the embedded database.
  const { openPglite } = await import("#db/pglite");
  return openPglite(settings.dataDir, (sentence) => {
    // A dead process is restarted, a hanging process is not.
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  });
}

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
    await database.close();
    throw error;
  }
}
