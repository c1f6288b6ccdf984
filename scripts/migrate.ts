import type { Database } from "#db/client";
import { migrate } from "#db/migrate";
import { openDatabaseAsIs } from "#server/open-database";
import { readSettings, type Settings } from "#server/platform/env";
import { createLog } from "#server/platform/log";
import { exitWithSentence } from "#server/platform/process";
import { ensureLogPartitions } from "#server/sweeper/log-partitions";

/** `npm run db:migrate`, as the server does at its start. */
async function run(settings: Settings): Promise<void> {
  const database = await openDatabaseAsIs(settings);
  const applied = await prepare(database, settings).finally(() => database.close());
  process.stdout.write(
    applied.length > 0 ? `Applied: ${applied.join(", ")}\n` : "The database is up to date.\n",
  );
}

async function prepare(database: Database, { logLevel }: Settings): Promise<string[]> {
  const applied = await migrate(database);
  const time = await database.serverTime();
  await ensureLogPartitions({ database, log: createLog(logLevel), now: () => time });
  return applied;
}

/** Async, so that invalid settings reject too. */
const start = async () => run(readSettings({ serverSecret: false }));

start().catch(exitWithSentence);
