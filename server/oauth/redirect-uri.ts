import { parsePlainOrigin } from "#server/platform/plain-origin";
import type { ClientKind, RegisteredClient } from "./clients/client";

/** More would make the whitelist a list that nobody reads. */
export const maxRedirectUris = 10;
export const longestUri = 2_000;

// RFC 3986: the characters of a URI, without "#" (no fragment) and "*" (no wildcard). What is registered is sent as it stands,
// so nothing may be in it that a Location header or a browser would read differently.
const redirectCharacters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/;
/** RFC 6749 section 3.1: "Request and response parameters MUST NOT be included more than once." */
const responseParameters = new Set(["code", "state", "iss", "error", "error_description"]);
const authority = /^https:\/\/([^/?]*)/;

/**
 * Why a text cannot be registered as a redirect URI, in plain words; undefined when it can.
 * The specification, Authentication 6, and RFC 6749 section 3.1.2 (absolute, no fragment).
 */
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
 * The one redirect URI that every client has without registering it. At a server-side application's only its owner is ever asked:
 * the code goes on from there to the owner's own machine.
 */
export const hostedCallback = (baseUrl: string, clientId: string): string =>
  `${baseUrl}/oauth/${clientId}/callback`;

/** The redirect URI that an application's request uses by default: the first that may be used. */
export const firstRedirectUri = (
  baseUrl: string,
  { clientId, redirectUris }: Pick<RegisteredClient, "clientId" | "redirectUris">,
): string =>
  redirectUris.find((uri) => !whyNotRedirectUri(uri)) ?? hostedCallback(baseUrl, clientId);

/**
 * Whether `text` is one of the application's redirect URIs. Compared as strings: RFC 9700 section 2.1 wants exact matching,
 * and parsing first is how two readings of one address part ways. A stored URI that could not be registered today is none.
 */
export function isRedirectUriOf(
  text: string,
  client: Pick<RegisteredClient, "clientId" | "redirectUris">,
  baseUrl: string,
): boolean {
  if (client.redirectUris.includes(text)) return whyNotRedirectUri(text) === undefined;
  return text === hostedCallback(baseUrl, client.clientId);
}

/**
 * Whether an answer at this redirect URI reaches the application and nobody else, so that an earlier consent may give it unasked.
 * A confidential one needs its secret besides; of a public one the registered https host is the measure against impersonation
 * (RFC 6749 section 10.2, RFC 8252 section 8.6). A page of ours, as the hosted callback is, shows the answer to who asked.
 */
export const reachesClientAlone = (
  kind: ClientKind,
  redirectUri: string,
  baseUrl: string,
): boolean =>
  kind === "confidential" ||
  (redirectUri.startsWith("https://") && new URL(redirectUri).origin !== baseUrl);

/** Whether this user may be asked by a request with this redirect URI: who owns the application always, others once it is complete. */
export const mayBeAsked = (
  user: { readonly accountId: string } | null,
  { client, redirectUri }: { readonly client: RegisteredClient; readonly redirectUri: string },
  baseUrl: string,
): boolean =>
  client.ownerId === user?.accountId ||
  (client.complete &&
    (client.kind === "public" || redirectUri !== hostedCallback(baseUrl, client.clientId)));

/** The hosts at which an application can be answered, each once. */
export const redirectHosts = ({ redirectUris }: Pick<RegisteredClient, "redirectUris">): string[] =>
  [...new Set(redirectUris.map((uri) => new URL(uri).host))].sort();

/** Appends response parameters to a redirect URI, whose own query is kept as it stands (RFC 6749 section 3.1.2). */
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

/** Whether a text is an address on the visitor's own machine that an answer may be handed on to: plain http, a path at most. */
export function isLocalAddress(text: string): boolean {
  const found = text.length <= longestUri ? loopback.exec(text) : null;
  return found !== null && Number(found[1] ?? 80) <= mostPorts && URL.canParse(text);
}

/** The address with an answer's parameters; null where it is none on this machine. */
export const handOnTo = (
  text: string,
  parameters: readonly (readonly [string, string])[],
): string | null => (isLocalAddress(text) ? withParameters(text, parameters) : null);
