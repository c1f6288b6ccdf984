import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { assertPatchedDriver } from "#db/connection";
import { demoPeople } from "#simulator/demo-people";
import { createContextWithRetries } from "./create-context";
import { createPackedFileHandler } from "./front/compression";
import { createFront } from "./front/create-front";
import { drain } from "./front/drain";
import { openMetricsListener } from "./health/metrics-listener";
import { createPageRouteMatcher, loadPageHandler } from "./load-pages";
import { readSettings, type Settings, version } from "./platform/env";
import {
  endOnSignals,
  exitOnUnexpectedErrors,
  exitWithSentence,
  listen,
  redirectConsole,
} from "./platform/process";
import { wrongSetting } from "./platform/start-fault";
import { secondMs } from "./platform/time";

const buildFolder = import.meta.dirname;

async function start(): Promise<void> {
  const settings = readSettings();
  if (settings.serverless)
    throw wrongSetting(
      "SERVERLESS=on is for platforms that start Next by themselves: this server runs on between two calls.",
    );
  // Checked before pages load, which takes seconds.
  assertPatchedDriver();
  // Loading blocks the process, which would hold connections and job locks meanwhile.
  const pages = await loadPageHandler(settings, buildFolder);
  const ctx = await createContextWithRetries(settings);
  exitOnUnexpectedErrors(ctx.log);
  redirectConsole(ctx.log);
  const server = createFront({
    ctx,
    pages,
    packed: createPackedFileHandler(path.join(buildFolder, ".next/static")),
    routeOf: createPageRouteMatcher(path.join(buildFolder, ".next")),
  });
  if (settings.trustedPlatformHeader)
    ctx.log.warn(
      {},
      "TRUSTED_PLATFORM_HEADER is not used by the production server: name the proxies in TRUSTED_PROXIES",
    );
  await openMetricsListener(ctx);
  await listen(server, { ...settings, settings: { port: "PORT", host: "HOST" } });
  endOnSignals(ctx.log, (signal) =>
    drain({
      ctx,
      server,
      notice: signal === "SIGTERM" ? settings.drainNotice * secondMs : 0,
    }),
  );
  process.stdout.write(startText(settings));
  releaseGarbage();
}

/** Loading pages leaves dozens of megabytes of garbage. */
function releaseGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

function startText(settings: Settings): string {
  const store = settings.databaseUrl
    ? "PostgreSQL"
    : `the embedded database in ${settings.dataDir}`;
  const lines = [
    "",
    `  Adjutant ${version} is ready at ${settings.baseUrl}`,
    `  It keeps its data in ${store}.`,
  ];
  if (settings.demo !== "off") {
    const width = Math.max(...demoPeople.map((person) => person.name.length));
    lines.push(
      "",
      "  The game is simulated. Sign in with one of these game keys:",
      ...demoPeople.map(
        (person) => `    ${person.key}  ${person.name.padEnd(width)}  ${person.words}`,
      ),
      "",
      `  ${settings.baseUrl}/demo makes things happen in it.`,
    );
  }
  return `${lines.join("\n")}\n\n`;
}

start().catch(exitWithSentence);
