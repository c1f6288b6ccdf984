import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import type next from "next";
import { compressResponse } from "./front/compression";
import { isPage, securityHeadersOf } from "./front/secure-page";
import type { PageHandler } from "./front/shared-pages";
import type { Settings } from "./platform/env";
import { createIds } from "./platform/ids";
import { announceFront, internalRequestIdHeader, sharedPageHeader } from "./platform/peer-address";
import { targetOf } from "./rest/request-context";

interface PageLoader {
  readonly server: { getServer(): Promise<{ unstable_preloadEntries(): Promise<void> }> };
}

/** @param folder of the build */
export async function loadPageHandler(settings: Settings, folder: string): Promise<PageHandler> {
  const { host, port } = settings;
  announceFront();
  // Imported late, because processes without pages save the memory.
  const { default: createPages } = await import("next");
  // Next answers no upgrades, so it gets an idle server: a client that offers HTTP/2 or a web
  // socket then gets its answer over HTTP/1.1 (RFC 9110 section 7.8).
  const httpServer = createServer();
  const app = createPages({ dev: false, dir: folder, hostname: host, port, httpServer });
  await app.prepare();
  await preload(app);
  return secured(settings, app.getRequestHandler());
}

/** Does what proxy.ts does, in a millisecond less per page. */
function secured(settings: Settings, pages: PageHandler): PageHandler {
  const ids = createIds();
  return async (request, response) => {
    const { headers, method = "", url = "" } = request;
    const target = targetOf(url);
    if (!isPage(target.pathname)) return pages(request, response);
    const page = securityHeadersOf(
      {
        ...target,
        method,
        requestId: String(headers[internalRequestIdHeader]),
        shared: headers[sharedPageHeader] !== undefined,
      },
      settings,
      ids,
    );
    for (const [name, value] of Object.entries(page.answer)) response.setHeader(name, value);
    if (page.wrongMethod) return void response.writeHead(405).end();
    for (const [name, value] of Object.entries(page.request)) {
      if (value === undefined) delete headers[name];
      else headers[name] = value;
    }
    compressResponse(request, response);
    await pages(request, response);
  };
}

/** Without this, Next would load pages beside the first requests. */
async function preload(app: ReturnType<typeof next>): Promise<void> {
  const { server } = app as unknown as PageLoader;
  await (await server.getServer()).unstable_preloadEntries();
}

interface RoutesManifest {
  readonly staticRoutes: readonly { readonly page: string }[];
  readonly dynamicRoutes: readonly { readonly page: string; readonly regex: string }[];
}

/** @returns the template of an address (`/consent/[requestId]`), or "unmatched" */
export function createPageRouteMatcher(folder: string): (pathname: string) => string {
  const manifest = JSON.parse(
    readFileSync(path.join(folder, "routes-manifest.json"), "utf8"),
  ) as RoutesManifest;
  const fixed = new Set(manifest.staticRoutes.map(({ page }) => page));
  const patterns = manifest.dynamicRoutes.map(({ page, regex }) => ({
    page,
    pattern: new RegExp(regex),
  }));
  return (pathname) => {
    if (fixed.has(pathname)) return pathname;
    return patterns.find(({ pattern }) => pattern.test(pathname))?.page ?? "unmatched";
  };
}
