import { authorizationPath } from "#server/machine-path";
import { covers, isScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/client";
import { hostedCallback, isRedirectUriOf } from "../redirect-uri";
import { rules } from "./checks";

/** An authorization request without what was wrong in it. */
export interface CorrectedRequest {
  readonly url: string;
  /** Parameters that are still missing or wrong, because only the application knows them. */
  readonly missing: readonly string[];
  /** Scopes that are unknown, or that the application is not registered for. */
  readonly leftOut: readonly string[];
}

/** Corrects what can be known from the registration; the rest is named. */
export function correctRequest(
  parameters: URLSearchParams,
  client: RegisteredClient,
  baseUrl: string,
): CorrectedRequest {
  const corrected = new URLSearchParams();
  for (const [name, value] of parameters) if (value !== "" && !corrected.has(name)) corrected.set(name, value);
  corrected.set("response_type", "code");
  const asked = [...new Set(parameters.getAll("scope").flatMap((text) => text.split(/[\s,+]+/)))].filter(Boolean);
  const isRegistered = (name: string) => isScopeName(name) && covers(client.scopes, name);
  corrected.set("scope", asked.filter(isRegistered).join(" "));
  const sent = corrected.get("redirect_uri") ?? "";
  const [only = hostedCallback(baseUrl, client.clientId), ...others] = client.redirectUris;
  const redirectUri = isRedirectUriOf(sent, client, baseUrl)
    ? sent
    : (nearRedirectUri(sent, client, baseUrl) ?? (others.length === 0 ? only : undefined));
  if (redirectUri !== undefined) corrected.set("redirect_uri", redirectUri);
  else corrected.delete("redirect_uri");
  corrected.delete("code_challenge_method");
  if (corrected.has("code_challenge")) corrected.set("code_challenge_method", "S256");
  for (const { about, check } of rules) if (check(corrected, client)) for (const name of about) corrected.delete(name);
  const unmet = rules.filter(({ check }) => check(corrected, client)).flatMap(({ about }) => about);
  return {
    url: `${baseUrl}${authorizationPath}?${corrected}`,
    missing: redirectUri === undefined ? ["redirect_uri", ...unmet] : unmet,
    leftOut: asked.filter((name) => !isRegistered(name)),
  };
}

/** The address that the application may return to and that was probably meant. */
export const nearRedirectUri = (sent: string, client: RegisteredClient, baseUrl: string): string | undefined =>
  [...client.redirectUris, hostedCallback(baseUrl, client.clientId)].find((uri) => alike(uri) === alike(sent));

/** What is left of an address when all that people get wrong is taken away. */
const alike = (uri: string): string =>
  uri
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[?#].*$/, "")
    .replace(/:\d+(?=\/|$)/, "")
    .replace(/\/+$/, "");
