import type { RegisteredClient } from "../clients/client";
import { hostedCallback, isRedirectUriOf, whyNotRedirectUri } from "../redirect-uri";
import { given, isRepeated } from "./authorization-request";
import { rules } from "./checks";

/** One parameter, or a few that belong together, judged against their rule. */
export interface Finding {
  readonly parameters: readonly string[];
  /** As sent; null where nothing was. */
  readonly sent: string | null;
  /** The rule. */
  readonly rule: string;
  /** How it is broken; null where it is kept. */
  readonly fault: string | null;
}

/** What a request's parameters look like to the rules of the authorization endpoint. */
export interface Examination {
  readonly findings: readonly Finding[];
  /** Parameters that no rule knows: they change nothing. */
  readonly ignored: readonly string[];
}

/** Judges all parameters of an authorization request that names this application, where the endpoint itself stops at the first fault. */
export function examineParameters(parameters: URLSearchParams, client: RegisteredClient, baseUrl: string): Examination {
  const named: Finding = {
    parameters: ["client_id"],
    sent: sentOf(parameters, ["client_id"]),
    rule: "Required: the id of the application.",
    fault: null,
  };
  const addressed: Finding = {
    parameters: ["redirect_uri"],
    sent: sentOf(parameters, ["redirect_uri"]),
    rule: "Required: exactly one of the registered ones.",
    fault: faultOfRedirectUri(parameters, client, baseUrl),
  };
  const judged = rules.map(({ about, says, check }) => ({
    parameters: about,
    sent: sentOf(parameters, about),
    rule: says,
    fault: check(parameters, client)?.description ?? null,
  }));
  const known = new Set(["client_id", "redirect_uri", ...rules.flatMap(({ about }) => about)]);
  return {
    findings: [named, addressed, ...judged],
    ignored: [...new Set(parameters.keys())].filter((name) => !known.has(name)),
  };
}

function sentOf(parameters: URLSearchParams, names: readonly string[]): string | null {
  const sent = names.flatMap((name) => parameters.getAll(name));
  return sent.length === 0 ? null : sent.join(" · ");
}

function faultOfRedirectUri(parameters: URLSearchParams, client: RegisteredClient, baseUrl: string): string | null {
  const sent = given(parameters, "redirect_uri");
  if (sent === undefined) return "The redirect_uri is missing.";
  if (isRepeated(parameters, "redirect_uri")) return "The redirect_uri is given more than once.";
  if (isRedirectUriOf(sent, client, baseUrl)) return null;
  const refusal = client.redirectUris.includes(sent) ? whyNotRedirectUri(sent) : undefined;
  if (refusal) return `It is registered but no longer accepted: replace it in the application's settings. ${refusal}`;
  const near = [...client.redirectUris, hostedCallback(baseUrl, client.clientId)].find(
    (uri) => alike(uri) === alike(sent),
  );
  return near === undefined
    ? "It is not registered. The player sees an error page and is not sent back."
    : `It is not registered, but nearly: the registered one is ${near}. Compare case, port, a trailing slash and the query.`;
}

/** What is left of an address when all that people get wrong is taken away. */
const alike = (uri: string): string =>
  uri
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[?#].*$/, "")
    .replace(/:\d+(?=\/|$)/, "")
    .replace(/\/+$/, "");
