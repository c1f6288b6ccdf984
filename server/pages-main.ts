import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { assertPatchedDriver } from "#db/connection";
import { createContextWithRetries } from "./create-context-with-retries";
import { leaveWithFront } from "./front/leave-with-front";
import { refuseFaults } from "./front/refuse-faults";
import { openMetricsListener } from "./health/metrics-listener";
import { loadPages } from "./load-pages";
import { readSettings } from "./platform/env";
import { describeError } from "./platform/errors";
import { exitOnUnexpectedErrors, exitWithSentence, logConsole } from "./platform/process";
import { within } from "./platform/within";

/** Room for the headers that the front lets through and those that it adds. */
const maxHeaderSize = 32 * 1_024;
/** Milliseconds. The front waits for five seconds. */
const longestClosing = 4_000;

/** The process that renders pages for the front, with PAGES_PROCESS. Nobody but the front's user can reach its socket. */
async function start(): Promise<void> {
  const front = leaveWithFront();
  const settings = readSettings();
  assertPatchedDriver();
  const pages = await loadPages(settings, import.meta.dirname);
  const ctx = await createContextWithRetries(settings, { jobs: false, serves: false });
  exitOnUnexpectedErrors(ctx.log);
  logConsole(ctx.log);
  const handle = refuseFaults(ctx, pages);
  // The front keeps its connections for as long as it likes: one that we closed would fail the next page on it.
  const server = createServer({ maxHeaderSize, keepAliveTimeout: 0 }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      ctx.log.error({ error: describeError(error) }, "a page failed outside its handler");
      response.destroy();
    });
  });
  const folder = await mkdtemp(path.join(tmpdir(), "adjutant-pages-"));
  const socket = path.join(folder, "socket");
  server.listen(socket);
  await once(server, "listening");
  await openMetricsListener({
    ...ctx,
    settings: { ...settings, metrics: settings.pagesProcess?.metrics },
  });
  // The front asks each second whether this process lives.
  process.on("message", () => process.send?.("yes", undefined, undefined, () => {}));
  const left = front.serve();
  process.send?.(socket);
  await left;
  server.close();
  server.closeIdleConnections();
  await within(longestClosing, ctx.close(longestClosing / 2)).catch(() => {});
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
}

start().catch(exitWithSentence);
