import { authorizationPath } from "#server/machine-path";
import { covers, isScopeName } from "#server/scopes";
import type { RegisteredClient } from "../clients/store";
import { hostedCallbackUri, isRedirectUriOf, whyNotRedirectUri } from "../redirect-uri";
import { isRepeated, readParameter } from "./authorization-messages";
import { parameterRules } from "./checks";

const pkceAdvice =
  "Send an S256 code_challenge too (PKCE): a code that leaks is worth nothing without the verifier. Most libraries have a switch for it.";

/** Reports all faults; the authorization endpoint stops at the first. */
export function examineParameters(
  parameters: URLSearchParams,
  client: RegisteredClient,
  baseUrl: string,
) {
  const judged = [
    { about: ["client_id"], says: "Required: the id of the application.", fault: null },
    {
      about: ["redirect_uri"],
      says: "Required: exactly one of the registered ones.",
      fault: faultOfRedirectUri(parameters, client, baseUrl),
    },
    ...parameterRules.map(({ about, says, check }) => ({
      about,
      says,
      fault: finer(about, parameters, client) ?? check(parameters, client)?.description ?? null,
    })),
  ];
  const lacksPkce = readParameter(parameters, "code_challenge") === undefined;
  const findings = judged.map(({ about, says, fault }) => ({
    parameters: about,
    rule: says,
    fault,
    sent: sentOf(parameters, about),
    advice: lacksPkce && about.includes("code_challenge") ? pkceAdvice : null,
  }));
  const known = new Set(judged.flatMap(({ about }) => about));
  return {
    findings,
    ignored: [...new Set(parameters.keys())].filter((name) => !known.has(name)),
    corrected: findings.some(({ fault }) => fault !== null)
      ? correctRequest(parameters, client, baseUrl)
      : null,
  };
}

function finer(
  about: readonly string[],
  parameters: URLSearchParams,
  client: RegisteredClient,
): string | undefined {
  if (about.length === 0) {
    const doubled = [...new Set(parameters.keys())].filter((name) => isRepeated(parameters, name));
    return doubled.length === 0 ? undefined : `Given more than once: ${doubled.join(", ")}.`;
  }
  if (about.some((name) => isRepeated(parameters, name))) return "It is given more than once.";
  const text = about.includes("scope") ? parameters.get("scope") : null;
  if (text === null) return undefined;
  if (text.includes(","))
    return `Separate scopes by spaces, not commas: ${text
      .split(/[\s,]+/)
      .filter(Boolean)
      .join(" ")}`;
  const names = text.split(" ").filter(Boolean);
  const unknown = names.find((name) => !isScopeName(name));
  if (unknown !== undefined) return `There is no scope ${unknown}.`;
  const missing = names.filter(isScopeName).filter((name) => !covers(client.scopes, name));
  return missing.length === 0
    ? undefined
    : `The application is not registered for ${missing.join(", ")}.`;
}

function sentOf(parameters: URLSearchParams, names: readonly string[]): string | null {
  const sent = names.flatMap((name) => parameters.getAll(name));
  return sent.length === 0 ? null : sent.join(" · ");
}

function faultOfRedirectUri(
  parameters: URLSearchParams,
  client: RegisteredClient,
  baseUrl: string,
): string | null {
  const sent = readParameter(parameters, "redirect_uri");
  if (sent === undefined) return "The redirect_uri is missing.";
  if (isRepeated(parameters, "redirect_uri")) return "The redirect_uri is given more than once.";
  if (isRedirectUriOf(sent, client, baseUrl)) return null;
  const refusal = client.redirectUris.includes(sent) ? whyNotRedirectUri(sent) : undefined;
  if (refusal)
    return `It is registered but no longer accepted: replace it in the application's settings. ${refusal}`;
  const near = nearRedirectUri(sent, client, baseUrl);
  return near === undefined
    ? `It is not registered: the player sees an error page and is not sent back. ${registeredIn(client, baseUrl)}`
    : `It is not registered, but nearly: the registered one is ${near}. Compare case, port, a trailing slash and the query.`;
}

function registeredIn({ redirectUris, clientId }: RegisteredClient, baseUrl: string): string {
  const hosted = hostedCallbackUri(baseUrl, clientId);
  if (redirectUris.length === 0)
    return `Without one of its own the application returns to ${hosted}.`;
  const shown = redirectUris.slice(0, mostNamed);
  const rest = redirectUris.length - shown.length;
  return `Registered: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
}

const mostNamed = 3;

function correctRequest(parameters: URLSearchParams, client: RegisteredClient, baseUrl: string) {
  const corrected = new URLSearchParams();
  for (const [name, value] of parameters)
    if (value !== "" && !corrected.has(name)) corrected.set(name, value);
  corrected.set("response_type", "code");
  const asked = [
    ...new Set(parameters.getAll("scope").flatMap((text) => text.split(/[\s,+]+/))),
  ].filter(Boolean);
  const isRegistered = (name: string) => isScopeName(name) && covers(client.scopes, name);
  corrected.set("scope", asked.filter(isRegistered).join(" "));
  const sent = corrected.get("redirect_uri") ?? "";
  const [only = hostedCallbackUri(baseUrl, client.clientId), ...others] = client.redirectUris;
  const redirectUri = isRedirectUriOf(sent, client, baseUrl)
    ? sent
    : (nearRedirectUri(sent, client, baseUrl) ?? (others.length === 0 ? only : undefined));
  if (redirectUri !== undefined) corrected.set("redirect_uri", redirectUri);
  else corrected.delete("redirect_uri");
  corrected.delete("code_challenge_method");
  if (corrected.has("code_challenge")) corrected.set("code_challenge_method", "S256");
  for (const { about, check } of parameterRules)
    if (check(corrected, client)) for (const name of about) corrected.delete(name);
  const unmet = parameterRules
    .filter(({ check }) => check(corrected, client))
    .flatMap(({ about }) => about);
  return {
    url: `${baseUrl}${authorizationPath}?${corrected}`,
    missing: redirectUri === undefined ? ["redirect_uri", ...unmet] : unmet,
    leftOut: asked.filter((name) => !isRegistered(name)),
  };
}

const nearRedirectUri = (
  sent: string,
  client: RegisteredClient,
  baseUrl: string,
): string | undefined =>
  [...client.redirectUris, hostedCallbackUri(baseUrl, client.clientId)].find(
    (uri) => alike(uri) === alike(sent),
  );

const alike = (uri: string): string =>
  uri
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[?#].*$/, "")
    .replace(/:\d+(?=\/|$)/, "")
    .replace(/\/+$/, "");
