import { type Database, openPostgres } from "#db/client";
import { assertPatchedDriver } from "#db/connection";
import { migrate } from "#db/migrate";
import { openPglite } from "#db/pglite";
import { readSettings, type Settings } from "#server/platform/env";
import { exitWithSentence } from "#server/platform/process";

/** `npm run db:migrate`: brings the database of the settings to this release's schema, as the server does when it starts. */
async function run(settings: Settings): Promise<void> {
  const database = await open(settings);
  const applied = await migrate(database).finally(() => database.close());
  process.stdout.write(applied.length > 0 ? `Applied: ${applied.join(", ")}\n` : "The database is up to date.\n");
}

async function open({ databaseUrl, dataDir }: Settings): Promise<Database> {
  assertPatchedDriver();
  if (databaseUrl) return openPostgres({ url: databaseUrl });
  return openPglite(dataDir, (sentence) => {
    process.stderr.write(`${sentence}\n`);
    process.exit(1);
  });
}

/** Settings that are wrong reject here, too. */
const start = async () => run(readSettings());

start().catch(exitWithSentence);
