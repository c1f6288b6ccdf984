import path from "node:path";
import { assertPatchedDriver } from "#db/connection";
import { restoreBackup } from "#server/backup/restore-backup";
import { readSettings } from "#server/platform/env";
import { exitWithSentence } from "#server/platform/process";

async function run(folder: string | undefined): Promise<void> {
  if (!folder) {
    process.stderr.write("Name the backup's folder: npm run restore -- backups/adjutant-…\n");
    process.exit(2);
  }
  assertPatchedDriver();
  const { release, madeAt } = await restoreBackup(
    readSettings({ serverSecret: false }),
    path.resolve(folder),
  );
  process.stdout.write(`Restored what release ${release} held on ${madeAt}.\n`);
  process.stdout.write(
    "Start the server with the server secret of then: another one is refused.\n",
  );
}

run(process.argv[2]).catch(exitWithSentence);
