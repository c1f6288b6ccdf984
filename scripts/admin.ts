import pino from "pino";
import { assertMigrated } from "#db/migrate";
import { createContext } from "#server/create-context";
import { readCommandLine } from "#server/operator/command";
import { askHolder, openDatabaseForCommand } from "#server/operator/operator-socket";
import {
  type CommandOutput,
  commands,
  printCommandOutput,
  runCommand,
} from "#server/operator/run-command";
import { readSettings } from "#server/platform/env";
import { createLog } from "#server/platform/log";
import { exitWithSentence } from "#server/platform/process";

/** `npm run admin -- <command>`: acts on the configured service as its operator. */
async function* admin(args: readonly string[]): AsyncGenerator<CommandOutput> {
  const settings = readSettings();
  const database = await openDatabaseForCommand(settings);
  if (!database) return yield* askHolder(settings.dataDir, args);
  try {
    await assertMigrated(database);
    const log = createLog("warn", { to: pino.destination(2) });
    const ctx = await createContext(
      { ...settings, demo: "off" },
      { database, log, jobs: false, serves: false },
    );
    yield* runCommand(ctx, args);
    await ctx.close();
  } finally {
    await database.close();
  }
}

function understand(args: readonly string[]): void {
  try {
    const line = readCommandLine(commands, args);
    if (typeof line !== "string") return;
    process.stdout.write(line);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(2);
  }
}

const args = process.argv.slice(2);
understand(args);
printCommandOutput(admin(args)).catch(exitWithSentence);
