import { migrate } from "#db/migrate";
import { openDatabaseAsIs } from "#server/open-database";
import { readSettings, type Settings } from "#server/platform/env";
import { exitWithSentence } from "#server/platform/process";

/** `npm run db:migrate`: brings the database of the settings to this release's schema, as the server does when it starts. */
async function run(settings: Settings): Promise<void> {
  const database = await openDatabaseAsIs(settings);
  const applied = await migrate(database).finally(() => database.close());
  process.stdout.write(applied.length > 0 ? `Applied: ${applied.join(", ")}\n` : "The database is up to date.\n");
}

/** Settings that are wrong reject here, too. */
const start = async () => run(readSettings());

start().catch(exitWithSentence);
