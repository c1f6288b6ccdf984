import { createContextWithRetries } from "#server/create-context";
import { openMetricsListener } from "#server/health/metrics-listener";
import { readSettings, type Settings } from "#server/platform/env";
import {
  endOnSignals,
  exitOnUnexpectedErrors,
  exitWithSentence,
  redirectConsole,
} from "#server/platform/process";
import { wrongSetting } from "#server/platform/start-fault";
import { within } from "#server/platform/within";
import { jobs } from "./list";

function assertSharedDatabase(settings: Settings): void {
  if (!settings.databaseUrl)
    throw wrongSetting(
      "DATABASE_URL is missing: a worker shares a PostgreSQL database with the server; on the embedded one the server runs the jobs itself.",
    );
}

/** Milliseconds for running jobs to end, even if the database is silent. */
const closeTimeoutMs = 12_000;
/** Milliseconds for closing the database connections. */
const goodbye = 4_000;

async function start(): Promise<void> {
  const settings = readSettings();
  assertSharedDatabase(settings);
  const ctx = await createContextWithRetries(settings, { jobs: true });
  exitOnUnexpectedErrors(ctx.log);
  redirectConsole(ctx.log);
  await openMetricsListener(ctx);
  endOnSignals(ctx.log, () => within(closeTimeoutMs + goodbye, ctx.close(closeTimeoutMs)));
  process.stdout.write(`The worker runs ${jobs.map(({ name }) => name).join(", ")}.\n`);
}

start().catch(exitWithSentence);
