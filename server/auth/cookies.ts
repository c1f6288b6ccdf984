import { daySeconds } from "#server/platform/time";

/**
 * The portal's cookies: names, attributes, reading and writing. On https every name carries the `__Host-` prefix, which ties
 * the cookie to this very host: no other site below the same domain can set one.
 */

/** Browsers cut longer lifetimes to this. The server decides when a session ends; the cookie only has to outlive it. */
const longestCookieSeconds = 400 * daySeconds;

const prefixed = (name: string, https: boolean) => (https ? `__Host-${name}` : name);

/** Holds the session's token. */
export const sessionCookieName = (https: boolean): string => prefixed("adjutant_session", https);

/** Holds 256 random bits that tie a pending authorization request to the browser that started it. */
export const browserCookieName = (https: boolean): string => prefixed("adjutant_browser", https);

/** A day: it outlives what is bound to it by far, so that a browser that waits for several answers keeps one id. Seconds. */
const browserCookieSeconds = daySeconds;

/** The Set-Cookie line that gives a browser its id, or lets it keep the one it has. */
export const browserCookie = (id: string, https: boolean): string =>
  cookieLine(browserCookieName(https), id, { https, maxAge: browserCookieSeconds });

/** Holds what proves that the first factor was right, while the second is asked for. */
export const secondStepCookieName = (https: boolean): string =>
  prefixed("adjutant_second_step", https);

/** The Set-Cookie line that lets a browser go on to the second step. @param maxAge in seconds */
export const secondStepCookie = (
  token: string,
  options: { https: boolean; maxAge: number },
): string => cookieLine(secondStepCookieName(options.https), token, options);

/** The Set-Cookie line that signs a browser in. */
export const sessionCookie = (token: string, https: boolean): string =>
  cookieLine(sessionCookieName(https), token, { https, maxAge: longestCookieSeconds });

/** The Set-Cookie line that makes a browser forget its session. */
export const endedSessionCookie = (https: boolean): string =>
  cookieLine(sessionCookieName(https), "", { https, maxAge: 0 });

/**
 * A Set-Cookie line: whole site, out of scripts' reach, sent along when another site links here but not when it posts here.
 * @param value of characters that need no quoting (RFC 6265 section 4.1.1); ours are base64url
 * @param maxAge in seconds
 */
export function cookieLine(
  name: string,
  value: string,
  options: { https: boolean; maxAge: number },
): string {
  const secure = options.https ? "; Secure" : "";
  return `${name}=${value}; Path=/; Max-Age=${options.maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/**
 * The value of one cookie of a Cookie header, or null. Of several with the name the first counts: browsers put the one with
 * the longest path first (RFC 6265 section 5.4), and ours all have the same.
 */
export function readCookie(header: string | null, name: string): string | null {
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}
