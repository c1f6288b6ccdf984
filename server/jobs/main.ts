import type { Context } from "#server/context";
import { createContextWithRetries } from "#server/create-context-with-retries";
import { describeError } from "#server/platform/describe-error";
import { readSettings, type Settings } from "#server/platform/env";
import { exitOnUnexpectedErrors, exitWithSentence } from "#server/platform/process";
import { WrongSetting } from "#server/platform/setting";
import { within } from "#server/platform/within";
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
    // A second signal exits at once.
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
  const ctx = await createContextWithRetries(settings, { jobs: true });
  exitOnUnexpectedErrors(ctx.log);
  endOnSignals(ctx);
  process.stdout.write(`The worker runs ${jobs.map(({ name }) => name).join(", ")}.\n`);
}

start().catch(exitWithSentence);
