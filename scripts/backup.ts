import path from "node:path";
import { createAuditWriter } from "#server/audit/store";
import { makeBackup } from "#server/backup/make-backup";
import { askHolder, openDatabaseForCommand } from "#server/operator/operator-socket";
import { printCommandOutput } from "#server/operator/run-command";
import { readSettings } from "#server/platform/env";
import { createIds } from "#server/platform/ids";
import { exitWithSentence } from "#server/platform/process";

/** `npm run backup -- [folder]`. Accepts any release's database, so it can run before an update. */
async function run(folder: string): Promise<void> {
  const settings = readSettings();
  const database = await openDatabaseForCommand(settings);
  // Only the server that holds an embedded database can read it.
  if (!database) return printCommandOutput(askHolder(settings.dataDir, ["backup", folder]));
  const now = () => new Date();
  try {
    const made = await makeBackup(
      {
        settings,
        database,
        now,
        ids: createIds(),
        audit: createAuditWriter(now),
      },
      folder,
    );
    process.stdout.write(`${made}\n`);
  } finally {
    await database.close();
  }
}

run(path.resolve(process.argv[2] ?? "backups")).catch(exitWithSentence);
