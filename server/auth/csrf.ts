import { isSameSecret, type Keyring } from "#server/platform/keyring";

/**
 * The token that a form or call must carry to act in a session: an HMAC of what it is bound to (the session's hash), so that
 * nothing has to be stored and it dies with the session.
 */
export const csrfTokenFor = (keyring: Keyring, boundTo: string): string =>
  keyring.hmac("csrf", boundTo).hash;

/**
 * Whether the token is the one of this session, under any server secret in force: a page that was open when the secret was
 * changed can still be sent.
 * @param sessionToken the value of the session's cookie
 */
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
 * Whether a request that changes something can have come from another site, by what the browser itself says of it.
 * No browser in use leaves out both headers on a cross-site POST, so a request without either comes from a program, which
 * carries nobody's cookies but its own.
 * @param baseUrl the portal's origin, as configured; what the request says about its own host is not asked
 */
export function isCrossSite(headers: Headers, baseUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  return origin !== null && origin !== baseUrl;
}

/** The strict form: the request must say that it comes from the portal. For calls that only the portal's script makes. */
export function isProvenSameOrigin(headers: Headers, baseUrl: string): boolean {
  if (isCrossSite(headers, baseUrl)) return false;
  return headers.get("origin") === baseUrl || headers.get("sec-fetch-site") === "same-origin";
}
