export const apiPrefix = "/api/v1";

/** The authorization endpoint, to which applications send players and which ends on a page. */
export const authorizationPath = "/oauth/authorize";

/** Addresses of programs that are no endpoint of the API, in the one spelling that answers. */
export const machinePaths = [
  "/oauth/token",
  "/oauth/revoke",
  "/oauth/introspect",
  "/oauth/metadata",
  "/.well-known/oauth-authorization-server",
  "/chat/interactions",
  "/cron/jobs",
  "/faction/events",
] as const;

export type MachinePath = (typeof machinePaths)[number];

const fixed: ReadonlySet<string> = new Set(machinePaths);

/** Everything below these is for programs; that some of it is not there is said as JSON too. */
const areas = ["/api", "/.well-known"];

/**
 * Whether a program, and not a page, is meant: by a path as it was sent, in any spelling. What is spelled in another way than
 * an endpoint's own is answered by the API's 404. Both mounts ask here.
 */
export function isMachinePath(pathname: string): boolean {
  if (pathname.startsWith("/api/"))
    return pathname !== "/api/trpc" && !pathname.startsWith("/api/trpc/");
  const spelled = plainSpelling(pathname);
  if (spelled.startsWith("/health/")) return true;
  if (areas.some((area) => spelled === area || spelled.startsWith(`${area}/`))) return true;
  return fixed.has(spelled.length > 1 && spelled.endsWith("/") ? spelled.slice(0, -1) : spelled);
}

/** Escapes within escapes that are undone: a proxy may have escaped a path once more. */
const mostRounds = 3;

/** The path in small letters and without escapes; what cannot be decoded stays as it is. */
function plainSpelling(pathname: string): string {
  let spelled = pathname;
  for (let round = 0; round < mostRounds && spelled.includes("%"); round++) {
    try {
      spelled = decodeURIComponent(spelled);
    } catch {
      break;
    }
  }
  return spelled.toLowerCase();
}
