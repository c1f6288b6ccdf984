import { createServer } from "node:http";
import type next from "next";
import type { PageHandler } from "./front/ask-pages";
import type { Settings } from "./platform/env";
import { announceFront } from "./platform/peer-address";

/** Where Next keeps the function that loads every page. */
interface PageLoader {
  readonly server: { getServer(): Promise<{ unstable_preloadEntries(): Promise<void> }> };
}

/**
 * Loads Next and every page of a build. This process stands still meanwhile, for seconds.
 * @param folder of the build
 */
export async function loadPages({ host, port }: Settings, folder: string): Promise<PageHandler> {
  announceFront();
  // Not at the top: a process that leaves pages to another does without its memory.
  const { default: createPages } = await import("next");
  // Next takes the upgrades of the server it is given, and leaves them unanswered; without one it would take ours. This one
  // never listens: a client that offers HTTP/2 or a web socket gets its answer over HTTP/1.1 (RFC 9110 section 7.8).
  const httpServer = createServer();
  const app = createPages({ dev: false, dir: folder, hostname: host, port, httpServer });
  const restoreDate = keepNativeDate();
  await app.prepare();
  await preload(app);
  restoreDate();
  return app.getRequestHandler();
}

/** Waits until every page is loaded. Next does it beside the first requests, and keeps all of them waiting for seconds. */
async function preload(app: ReturnType<typeof next>): Promise<void> {
  const { server } = app as unknown as PageLoader;
  await (await server.getServer()).unstable_preloadEntries();
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
