import { isSameSecret, type Keyring } from "#server/platform/keyring";

/** Derived from the session, so nothing is stored. */
export const csrfTokenFor = (keyring: Keyring, boundTo: string): string =>
  keyring.hmac("csrf", boundTo).hash;

/** Accepts earlier server secrets, so that open pages survive a rotation. */
export function isCsrfToken(
  keyring: Keyring,
  sessionToken: string | null,
  token: string | null,
): boolean {
  if (sessionToken === null) return false;
  return keyring
    .hmacs("session", sessionToken)
    .flatMap((hash) => keyring.hmacs("csrf", hash))
    .some((hash) => isSameSecret(hash, token ?? ""));
}

/**
 * Every browser in use sends one of the two headers with a cross-site POST.
 * @param baseUrl the request's own host is not trusted
 */
export function isCrossSite(headers: Headers, baseUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = headers.get("origin");
  return origin !== null && origin !== baseUrl;
}

export function isProvenSameOrigin(headers: Headers, baseUrl: string): boolean {
  if (isCrossSite(headers, baseUrl)) return false;
  return headers.get("origin") === baseUrl || headers.get("sec-fetch-site") === "same-origin";
}
