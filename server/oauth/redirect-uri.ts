import { parsePlainOrigin } from "#server/platform/plain-origin";
import type { ClientKind } from "./clients/client";
import type { RegisteredClient } from "./clients/store";

/** A longer list would not be reviewed. */
export const maxRedirectUris = 10;
export const longestUri = 2_000;

// RFC 3986 without "#" (no fragment) and "*" (no wildcard). The URI is sent unchanged, so a
// Location header and a browser must read it alike.
const redirectCharacters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** RFC 6749 section 3.1: a parameter must not appear twice. */
const responseParameters = new Set(["code", "state", "iss", "error", "error_description"]);
const authority = /^https:\/\/([^/?]*)/;

/** The specification, Authentication 6, and RFC 6749 section 3.1.2 (absolute, no fragment). */
export function whyNotRedirectUri(text: string): string | undefined {
  if (text === "") return "A redirect URI cannot be empty.";
  if (text.length > longestUri) return `A redirect URI can have at most ${longestUri} characters.`;
  if (text.includes("*")) return "Wildcards are not allowed: register each redirect URI in full.";
  if (text.includes("#")) return "A redirect URI cannot have a fragment (#…).";
  if (!text.startsWith("https://"))
    return "A redirect URI must be an absolute address that starts with https://.";
  if (!redirectCharacters.test(text))
    return "The redirect URI contains a character that must be percent-encoded.";
  const host = authority.exec(text)?.[1] ?? "";
  if (host.includes("@")) return "A redirect URI cannot contain a user name or password.";
  if (host === "" || !URL.canParse(text)) return "The redirect URI is not a valid address.";
  if (!parsePlainOrigin(new URL(text).origin))
    return "The host of a redirect URI must be a plain name: letters, digits and hyphens between dots.";
  const taken = [...new URL(text).searchParams.keys()].find((name) => responseParameters.has(name));
  if (taken)
    return `The query of a redirect URI cannot have ${taken}: our answers carry a parameter of that name.`;
  return undefined;
}

/**
 * Needs no registration. A confidential application's hosted callback works only for its
 * developers, which pass the code on to a local machine.
 */
export const hostedCallbackUri = (baseUrl: string, clientId: string): string =>
  `${baseUrl}/oauth/${clientId}/callback`;

export const firstRedirectUri = (
  baseUrl: string,
  { clientId, redirectUris }: Pick<RegisteredClient, "clientId" | "redirectUris">,
): string =>
  redirectUris.find((uri) => !whyNotRedirectUri(uri)) ?? hostedCallbackUri(baseUrl, clientId);

/**
 * Exact comparison (RFC 9700 section 2.1): two parsers may read one address differently. A stored
 * URI that could not be registered today does not match.
 */
export function isRedirectUriOf(
  text: string,
  client: Pick<RegisteredClient, "clientId" | "redirectUris">,
  baseUrl: string,
): boolean {
  if (client.redirectUris.includes(text)) return whyNotRedirectUri(text) === undefined;
  return text === hostedCallbackUri(baseUrl, client.clientId);
}

/**
 * An earlier consent suffices only if this is true. A public client needs a registered https host
 * against impersonation (RFC 6749 section 10.2, RFC 8252 section 8.6).
 */
export const reachesClientAlone = (
  kind: ClientKind,
  redirectUri: string,
  baseUrl: string,
): boolean =>
  kind === "confidential" ||
  (redirectUri.startsWith("https://") && new URL(redirectUri).origin !== baseUrl);

export const redirectHostsOf = ({
  redirectUris,
}: Pick<RegisteredClient, "redirectUris">): string[] =>
  [...new Set(redirectUris.map((uri) => new URL(uri).host))].sort();

/** The URI's own query stays unchanged (RFC 6749 section 3.1.2). */
export function withParameters(
  uri: string,
  parameters: readonly (readonly [string, string])[],
): string {
  const added = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  if (!uri.includes("?")) return `${uri}?${added}`;
  return /[?&]$/.test(uri) ? uri + added : `${uri}&${added}`;
}

const loopback =
  /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(?:\/[A-Za-z0-9\-._~:/@!$&'()+,;=%]*)?$/;
const mostPorts = 65_535;

export function isLocalAddress(text: string): boolean {
  const found = text.length <= longestUri ? loopback.exec(text) : null;
  return found !== null && Number(found[1] ?? 80) <= mostPorts && URL.canParse(text);
}

export const localCallbackUrl = (
  text: string,
  parameters: readonly (readonly [string, string])[],
): string | null => (isLocalAddress(text) ? withParameters(text, parameters) : null);
