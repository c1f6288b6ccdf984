import { readFileSync } from "node:fs";
import path from "node:path";

/** What the build writes of its pages and route handlers. */
interface RoutesManifest {
  readonly staticRoutes: readonly { readonly page: string }[];
  readonly dynamicRoutes: readonly { readonly page: string; readonly regex: string }[];
}

/**
 * Reads which pages were built.
 * @param folder of the built pages
 * @returns the template of an address (`/consent/[requestId]`), which holds nothing that a visitor wrote; "unmatched" where there
 *   is no such page
 */
export function pageRoutes(folder: string): (pathname: string) => string {
  const manifest = JSON.parse(readFileSync(path.join(folder, "routes-manifest.json"), "utf8")) as RoutesManifest;
  const fixed = new Set(manifest.staticRoutes.map(({ page }) => page));
  const patterns = manifest.dynamicRoutes.map(({ page, regex }) => ({ page, pattern: new RegExp(regex) }));
  return (pathname) => {
    if (fixed.has(pathname)) return pathname;
    return patterns.find(({ pattern }) => pattern.test(pathname))?.page ?? "unmatched";
  };
}
