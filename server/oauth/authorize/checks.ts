import { missingScopes } from "#server/scopes";
import type { RegisteredClient } from "../clients/store";
import { isCodeChallenge } from "../pkce";
import { formatScopeList, parseScopeList, unknownScopeMessage } from "../scope-list";
import {
  type AuthorizationErrorWord,
  type AuthorizationRefusal,
  isRepeated,
  readParameter,
  stateToReturn,
} from "./authorization-messages";

type Check = (
  parameters: URLSearchParams,
  client: RegisteredClient,
) => AuthorizationRefusal | undefined;

const refuse = (error: AuthorizationErrorWord, description: string): AuthorizationRefusal => ({
  error,
  description,
});

/** RFC 6749 section 3.1: "Request and response parameters MUST NOT be included more than once." */
const nothingTwice: Check = (parameters) =>
  [...new Set(parameters.keys())].some((name) => isRepeated(parameters, name))
    ? refuse("invalid_request", "A parameter is given more than once.")
    : undefined;

/** Ignoring an RFC 9101 request object would ignore the parameters in it. */
const noRequestObject: Check = (parameters) =>
  (readParameter(parameters, "request") ?? readParameter(parameters, "request_uri"))
    ? refuse("invalid_request", "Request objects are not supported.")
    : undefined;

/** RFC 6749 section 4.1.1; no implicit grant (RFC 9700 section 2.1.2). */
const responseTypeIsCode: Check = (parameters) => {
  const responseType = readParameter(parameters, "response_type");
  if (responseType === undefined) return refuse("invalid_request", "The response_type is missing.");
  return responseType === "code"
    ? undefined
    : refuse("unsupported_response_type", "The response_type must be code.");
};

const responseModeIsQuery: Check = (parameters) =>
  (readParameter(parameters, "response_mode") ?? "query") === "query"
    ? undefined
    : refuse("invalid_request", "The response_mode must be query.");

/** The specification (Authentication 5) requires a state of all clients. */
const stateIsThere: Check = (parameters) => {
  if (readParameter(parameters, "state") === undefined)
    return refuse("invalid_request", "The state is missing.");
  return stateToReturn(parameters) === null
    ? refuse(
        "invalid_request",
        "The state contains characters that cannot be given back as they were sent.",
      )
    : undefined;
};

/** RFC 7636 section 4.3. The method is required, because its default is `plain`. */
const challengeIsSound: Check = (parameters, client) => {
  const challenge = readParameter(parameters, "code_challenge");
  const method = readParameter(parameters, "code_challenge_method");
  if (challenge === undefined && method !== undefined)
    return refuse("invalid_request", "A code_challenge_method was sent without a code_challenge.");
  if (challenge === undefined)
    return client.kind === "public"
      ? refuse("invalid_request", "Public applications must send a code_challenge.")
      : undefined;
  if (method !== "S256")
    return refuse("invalid_request", "The code_challenge_method must be S256.");
  return isCodeChallenge(challenge)
    ? undefined
    : refuse("invalid_request", "The code_challenge must be 43 characters of base64url.");
};

/** Refuses unregistered scopes instead of dropping them silently. */
const scopeIsRegistered: Check = (parameters, client) => {
  const text = parameters.get("scope");
  if (text === null) return refuse("invalid_scope", "Add scope=; leave it empty if you need none.");
  const scopes = parseScopeList(text);
  if (!scopes) return refuse("invalid_scope", unknownScopeMessage(text));
  const missing = missingScopes(client.scopes, scopes);
  return missing.length === 0
    ? undefined
    : refuse("invalid_scope", `The application is not registered for ${formatScopeList(missing)}.`);
};

/** OpenID Connect Core 3.1.2.1: `none` cannot be combined. */
export const promptValues: readonly string[] = [
  "none",
  "login",
  "consent",
  "login consent",
  "consent login",
];

const promptIsKnown: Check = (parameters) => {
  const prompt = readParameter(parameters, "prompt");
  return prompt === undefined || promptValues.includes(prompt)
    ? undefined
    : refuse("invalid_request", "The prompt must be none, login or consent.");
};

export interface ParameterRule {
  /** Empty means all parameters. */
  readonly about: readonly string[];
  readonly says: string;
  readonly check: Check;
}

/** The first fault is sent to the client by a redirect. */
export const parameterRules: readonly ParameterRule[] = [
  { about: [], says: "Each parameter appears once.", check: nothingTwice },
  { about: ["request", "request_uri"], says: "Must be absent.", check: noRequestObject },
  { about: ["response_type"], says: "Must be code.", check: responseTypeIsCode },
  { about: ["response_mode"], says: "Must be query, or absent.", check: responseModeIsQuery },
  {
    about: ["state"],
    says: "Required: a value that only this browser's session knows.",
    check: stateIsThere,
  },
  {
    about: ["code_challenge", "code_challenge_method"],
    says: "S256 of the verifier, 43 characters. Required for public applications, advised for all.",
    check: challengeIsSound,
  },
  {
    about: ["scope"],
    says: "Required, may be empty: scopes the application is registered for.",
    check: scopeIsRegistered,
  },
  {
    about: ["prompt"],
    says: "none, login, consent, login consent, or absent.",
    check: promptIsKnown,
  },
];

export function checkRequest(
  parameters: URLSearchParams,
  client: RegisteredClient,
): AuthorizationRefusal | undefined {
  for (const { check } of parameterRules) {
    const refusal = check(parameters, client);
    if (refusal) return refusal;
  }
  return undefined;
}
