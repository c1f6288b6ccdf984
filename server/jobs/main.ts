import type { Context } from "#server/context";
import { describeError } from "#server/platform/describe-error";
import { readSettings, type Settings } from "#server/platform/env";
import { WrongSetting } from "#server/platform/setting";
import { within } from "#server/platform/within";
import { openWithPatience } from "#server/process/open-with-patience";
import { stopWithWords } from "#server/process/stop-with-words";
import { surviveLostConnections } from "#server/process/survive-lost-connections";
import { jobs } from "./list";

/** The embedded database belongs to one process, which runs the jobs itself. */
function assertSharedDatabase(settings: Settings): void {
  if (!settings.databaseUrl)
    throw new WrongSetting(
      "DATABASE_URL is missing: a worker shares a PostgreSQL database with the server; on the embedded one the server runs the jobs itself.",
    );
}

/** Milliseconds: running jobs get ten seconds, and a silent database must not hold the end up. */
const closePatience = 16_000;

function endOnSignals(ctx: Context): void {
  let ending = false;
  const end = () => {
    // Whoever asks twice does not want to wait.
    if (ending) process.exit(1);
    ending = true;
    within(closePatience, ctx.close()).then(
      () => process.exit(0),
      (error: unknown) => {
        ctx.log.error({ error: describeError(error) }, "the worker could not end in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
}

async function start(): Promise<void> {
  const settings = readSettings();
  assertSharedDatabase(settings);
  const ctx = await openWithPatience(settings, { jobs: true });
  surviveLostConnections(ctx);
  endOnSignals(ctx);
  process.stdout.write(`The worker runs ${jobs.map(({ name }) => name).join(", ")}.\n`);
}

start().catch(stopWithWords);
