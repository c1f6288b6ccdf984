export const apiPrefix = "/api/v1";

export const authorizationPath = "/oauth/authorize";

/** In the only valid spelling. */
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

const areas = ["/api", "/.well-known"];

/** True for any spelling, so that a wrong one gets the API's 404. */
export function isMachinePath(pathname: string): boolean {
  if (pathname.startsWith("/api/"))
    return pathname !== "/api/trpc" && !pathname.startsWith("/api/trpc/");
  const spelled = plainSpelling(pathname);
  if (spelled.startsWith("/health/")) return true;
  if (areas.some((area) => spelled === area || spelled.startsWith(`${area}/`))) return true;
  return fixed.has(spelled.length > 1 && spelled.endsWith("/") ? spelled.slice(0, -1) : spelled);
}

/** A proxy may encode once more. */
const mostRounds = 3;

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
