import { daySeconds } from "#server/platform/time";

/** A sibling domain cannot set a `__Host-` cookie. */

/** The browsers' limit, because the server decides when a session ends. */
const longestCookieSeconds = 400 * daySeconds;

const prefixed = (name: string, https: boolean) => (https ? `__Host-${name}` : name);

export const sessionCookieName = (https: boolean): string => prefixed("adjutant_session", https);

export const browserCookieName = (https: boolean): string => prefixed("adjutant_browser", https);

const browserCookieSeconds = daySeconds;

export const browserCookie = (id: string, https: boolean): string =>
  cookieLine(browserCookieName(https), id, { https, maxAge: browserCookieSeconds });

export const secondStepCookieName = (https: boolean): string =>
  prefixed("adjutant_second_step", https);

export const secondStepCookie = (
  token: string,
  options: { https: boolean; maxAge: number },
): string => cookieLine(secondStepCookieName(options.https), token, options);

export const sessionCookie = (token: string, https: boolean): string =>
  cookieLine(sessionCookieName(https), token, { https, maxAge: longestCookieSeconds });

export const endedSessionCookie = (https: boolean): string =>
  cookieLine(sessionCookieName(https), "", { https, maxAge: 0 });

/**
 * SameSite=Lax: sent with links from other sites, not with their POSTs.
 * @param maxAge in seconds
 */
function cookieLine(
  name: string,
  value: string,
  options: { https: boolean; maxAge: number },
): string {
  const secure = options.https ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${options.maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** Browsers send the longest path first (RFC 6265 section 5.4); ours are all equal. */
export function readCookie(header: string | null, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}
