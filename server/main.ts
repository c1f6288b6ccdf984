import { createServer } from "node:http";
import path from "node:path";
import next from "next";
import { assertPatchedDriver } from "#db/connection";
import { demoPeople } from "#simulator/demo-people";
import { createContextWithRetries } from "./create-context-with-retries";
import { createFront } from "./front/create-front";
import { drain } from "./front/drain";
import { disableHooksBetweenPages } from "./front/hooks-between-pages";
import { loadPackedFiles } from "./front/packed-files";
import { pageRoutes } from "./front/page-routes";
import { openMetricsListener } from "./health/metrics-listener";
import { readSettings, type Settings, version } from "./platform/env";
import { listen } from "./platform/listen";
import { announceFront } from "./platform/peer-address";
import { endOnSignals, exitOnUnexpectedErrors, exitWithSentence } from "./platform/process";

/** This module is bundled into the folder of its build, beside the pages. */
const buildFolder = import.meta.dirname;

/** Where Next keeps the function that loads every page. */
interface PageLoader {
  readonly server: { getServer(): Promise<{ unstable_preloadEntries(): Promise<void> }> };
}

/** Waits until every page is loaded. Next does it beside the first requests, and keeps all of them waiting for seconds. */
async function loadPages(app: ReturnType<typeof next>): Promise<void> {
  const { server } = app as unknown as PageLoader;
  await (await server.getServer()).unstable_preloadEntries();
}

async function start(): Promise<void> {
  const settings = readSettings();
  // Before the pages are loaded, which takes seconds.
  assertPatchedDriver();
  announceFront();
  // Next takes the upgrades of the server it is given, and leaves them unanswered; without one it would take ours. This one
  // never listens: a client that offers HTTP/2 or a web socket gets its answer over HTTP/1.1 (RFC 9110 section 7.8).
  const httpServer = createServer();
  const app = next({ dev: false, dir: buildFolder, hostname: settings.host, port: settings.port, httpServer });
  const restoreDate = keepNativeDate();
  await app.prepare();
  await loadPages(app);
  restoreDate();
  // After the pages: while they are loaded this process stands still, and would hold connections and locks of jobs meanwhile.
  const ctx = await createContextWithRetries(settings);
  exitOnUnexpectedErrors(ctx.log);
  const pages = disableHooksBetweenPages(app.getRequestHandler());
  const server = createFront({
    ctx,
    pages,
    packed: loadPackedFiles(path.join(buildFolder, ".next/static")),
    routeOf: pageRoutes(path.join(buildFolder, ".next")),
  });
  if (settings.trustedPlatformHeader)
    ctx.log.warn(
      {},
      "TRUSTED_PLATFORM_HEADER is not used by the production server: name the proxies in TRUSTED_PROXIES",
    );
  await openMetricsListener(ctx);
  await listen(server, { ...settings, settings: { port: "PORT", host: "HOST" } });
  endOnSignals(ctx.log, (signal) =>
    drain({ ctx, server, notice: signal === "SIGTERM" ? settings.drainNotice * 1_000 : 0 }),
  );
  process.stdout.write(startText(settings));
}

/**
 * Next replaces `Date` while it gets ready, to see which prerendered pages read the clock; only caching of parts of pages, which
 * we do not use, asks for that. The replacement makes each date cost more, and each API call makes some ten.
 * @returns puts the platform's own `Date` back in its place
 */
function keepNativeDate(): () => void {
  const { Date: native } = globalThis;
  return () => {
    globalThis.Date = native;
    // It names the replacement otherwise.
    Object.defineProperty(native.prototype, "constructor", { value: native, writable: true, configurable: true });
  };
}

/** What the terminal shows once the server answers: the address, and the demo players to sign in as. */
function startText(settings: Settings): string {
  const store = settings.databaseUrl ? "PostgreSQL" : `the embedded database in ${settings.dataDir}`;
  const lines = ["", `  Adjutant ${version} is ready at ${settings.baseUrl}`, `  It keeps its data in ${store}.`];
  if (settings.demo) {
    const width = Math.max(...demoPeople.map((person) => person.name.length));
    lines.push(
      "",
      "  The game is simulated. Sign in with one of these game keys:",
      ...demoPeople.map((person) => `    ${person.key}  ${person.name.padEnd(width)}  ${person.words}`),
    );
  }
  return `${lines.join("\n")}\n\n`;
}

start().catch(exitWithSentence);
