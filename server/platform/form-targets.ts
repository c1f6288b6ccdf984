/**
 * Where forms are posted. No page lives there: a page is read, and only read. `*` stands for one segment.
 * A test holds this list against the route files.
 */
export const formTargets = [
  "/sign-in/key",
  "/sign-in/passkey",
  "/sign-in/passkey/start",
  "/sign-in/chat",
  "/sign-in/second-step/code",
  "/confirm/proof",
  "/confirm/passkey",
  "/confirm/passkey/start",
  "/sign-out",
  "/consent/*/decision",
  "/account/chat/link",
  "/account/chat/unlink",
  "/account/apps/revoke",
  "/account/apps/pause",
  "/account/apps/resume",
  "/account/apps/narrow",
  "/account/sessions/end",
  "/account/notices/read",
  "/admin/applications/*/act",
  "/admin/audit/export",
  "/admin/accounts/*/act",
  "/account/switches",
  "/account/keys/remove",
  "/account/export",
  "/account/delete/confirm",
  "/demo/act",
  "/faction/banking/request",
  "/faction/banking/cancel",
  "/faction/banking/ledger/export",
  "/faction/banking/fulfill/*/confirm",
  "/faction/chat/server",
  "/faction/chat/events",
  "/faction/stats/import",
  "/faction/stats/sharing",
  "/players/*/read",
  "/chat-servers/*/act",
  "/developers/new/register",
  "/developers/doctor/question",
  "/developers/apps/*/webhooks/*/replay",
  "/developers/apps/*/webhooks/*/act",
] as const;

/** Addresses to which another site sends the browser back, with a code that is used once, so nothing but a visit may reach them. */
export const returnTargets = ["/sign-in/chat/callback"] as const;

const patterns = formTargets.map((target) => new RegExp(`^${target.replaceAll("*", "[^/]+")}$`));

/** Whether forms are posted to this path. */
export const isFormTarget = (path: string): boolean =>
  patterns.some((pattern) => pattern.test(path));

export const isReturnTarget = (path: string): boolean =>
  returnTargets.some((target) => target === path);

/** The methods of a path (RFC 9110 section 10.2.1); Next itself would render a page for any method. */
export function allowedMethods(path: string): readonly string[] {
  if (isFormTarget(path)) return ["POST"];
  return isReturnTarget(path) ? ["GET"] : ["GET", "HEAD"];
}

/**
 * The cookie that tells the pages which end in a redirect to a client (sign-in, consent) where their forms may lead.
 * A browser applies `form-action` to every hop after a form post, so the client's origin must stand in those pages' policy.
 * It widens nothing else: a forged one can only name more targets for the forger's own forms.
 */
export const formOriginCookie = "adjutant_form_origin";

/** As many requests as one browser may have waiting at once; the oldest is dropped. */
const mostOrigins = 6;

// "|" is allowed raw in a cookie (RFC 6265 section 4.1.1) and never part of an origin.
const separator = "|";

const dnsHost = /^(?!.{254})[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9](?:[a-z0-9-]{0,62}))*$/;
const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Reads one origin: `https://host[:port]`, or plain http on loopback. The text must be the origin exactly as a browser
 * serialises it (RFC 6454 section 6.2), so nothing that has a meaning in a policy (space, ";", "*", quotes) passes.
 * @returns the origin, or undefined
 */
export function parseFormOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  if (origin !== text) return undefined;
  if (loopbackHosts.has(hostname))
    return protocol === "http:" || protocol === "https:" ? origin : undefined;
  return protocol === "https:" && dnsHost.test(hostname) ? origin : undefined;
}

/** Reads the cookie's value; whatever is not an allowed origin is left out. Newest first. */
export function parseFormOrigins(value: string | undefined): string[] {
  const origins = (value ?? "").split(separator).map(parseFormOrigin);
  return [...new Set(origins.filter((origin) => origin !== undefined))].slice(0, mostOrigins);
}

/**
 * The cookie's new value when a request with this redirect URI is saved.
 * @param value the cookie as the browser sent it
 * @param redirectUri registered, so https, or the hosted callback
 */
export function withFormOrigin(value: string | undefined, redirectUri: string): string {
  return parseFormOrigins([new URL(redirectUri).origin, value ?? ""].join(separator)).join(
    separator,
  );
}
