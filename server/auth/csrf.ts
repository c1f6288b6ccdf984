import { isSameSecret, type Keyring } from "#server/platform/keyring";

/** An HMAC of the session's hash: nothing is stored, and it ends with the session. */
export const csrfTokenFor = (keyring: Keyring, boundTo: string): string =>
  keyring.hmac("csrf", boundTo).hash;

/** Accepts every server secret in force, so that pages opened before a rotation still work. */
export function isCsrfToken(
  keyring: Keyring,
  sessionToken: string | null,
  token: string | null,
): boolean {
  if (sessionToken === null) return false;
  return keyring
    .hmacs("session", sessionToken)
    .flatMap(({ hash }) => keyring.hmacs("csrf", hash))
    .some(({ hash }) => isSameSecret(hash, token ?? ""));
}

/**
 * Every browser in use sends one of the two headers with a cross-site POST, so a request without
 * both comes from a program, which has no one else's cookies.
 * @param baseUrl the configured origin; the request's own host is not trusted
 */
export function isCrossSite(headers: Headers, baseUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  return origin !== null && origin !== baseUrl;
}

/** For calls of the portal's script alone: the request must prove its origin. */
export function isProvenSameOrigin(headers: Headers, baseUrl: string): boolean {
  if (isCrossSite(headers, baseUrl)) return false;
  return headers.get("origin") === baseUrl || headers.get("sec-fetch-site") === "same-origin";
}
