import type { Context } from "#server/context";
import type { OAuthErrorAdvice } from "../oauth-error";
import { withParameters } from "../redirect-uri";
import type { PendingAuthorization } from "./store";

/** A request with `prompt=none` is answered at once and never saved. */
export type AuthorizationRequest = Pick<
  PendingAuthorization,
  "clientId" | "redirectUri" | "scopes" | "state" | "codeChallenge" | "prompt"
>;

export type Prompt = AuthorizationRequest["prompt"];

export const wantsLogin = (prompt: Prompt): boolean => prompt?.startsWith("login") ?? false;

export const wantsConsent = (prompt: Prompt): boolean => prompt?.endsWith("consent") ?? false;

/** An empty value counts as absent (RFC 6749 section 3.1). */
export const readParameter = (parameters: URLSearchParams, name: string): string | undefined =>
  parameters.get(name) || undefined;

export const isRepeated = (parameters: URLSearchParams, name: string): boolean =>
  parameters.getAll(name).length > 1;

/** U+0000 cannot be stored, and U+FFFD marks invalid UTF-8: neither can be returned as sent. */
const unrepeatable = ["\0", "\uFFFD"];
/** PGlite drops this mark at the start of a text. RFC 6749 appendix A.5 forbids it in a state. */
const byteOrderMark = "\uFEFF";

const isRepeatable = (state: string): boolean =>
  !state.startsWith(byteOrderMark) && !unrepeatable.some((character) => state.includes(character));

/** Null if no state can be returned as sent. */
export function stateToReturn(parameters: URLSearchParams): string | null {
  const state = readParameter(parameters, "state");
  return state === undefined || isRepeated(parameters, "state") || !isRepeatable(state)
    ? null
    : state;
}

/** RFC 6749 section 4.1.2.1; the last two from OpenID Connect Core 3.1.2.6. */
export const authorizationErrors = {
  access_denied: {
    cause: "The player denied the request, or your application is in test without this player.",
    remedy: "Show your page without their data. Ask again only when the player wants to.",
  },
  invalid_request: {
    cause: "A parameter is missing, repeated, malformed or not supported.",
    remedy: "`error_description` says which. Fix it in your code; a retry fails the same way.",
  },
  unsupported_response_type: {
    cause: "`response_type` is not `code`.",
    remedy: "Send `response_type=code`.",
  },
  invalid_scope: {
    cause:
      "No `scope` parameter, an unknown scope, or one that the application is not registered for.",
    remedy:
      "Compare the list with the application's settings. An unknown scope is refused, never ignored.",
  },
  login_required: {
    cause: "`prompt=none`, and the player is not signed in.",
    remedy: "Send the player through again without `prompt=none`.",
  },
  consent_required: {
    cause: "`prompt=none`, and no earlier approval covers the request.",
    remedy: "Send the player through again without `prompt=none`.",
  },
} as const satisfies Readonly<Record<string, OAuthErrorAdvice>>;

export type AuthorizationErrorWord = keyof typeof authorizationErrors;

export interface AuthorizationRefusal {
  readonly error: AuthorizationErrorWord;
  /** ASCII (RFC 6749 section 4.1.2.1). */
  readonly description: string;
}

export const notTestPlayerRefusal = {
  error: "access_denied",
  description:
    "The application is in test, and the player is neither in its team nor a test player.",
  remedy: "Add the player to the test players on its page Team, or open it to players.",
} as const;

/** RFC 9207 section 2 requires `iss` in errors too. */
export const redirectLocationOf = (
  { settings }: Pick<Context, "settings">,
  { redirectUri, state }: { readonly redirectUri: string; readonly state: string | null },
  answer: AuthorizationRefusal | { readonly code: string },
): string =>
  withParameters(redirectUri, [
    ...("code" in answer
      ? [["code", answer.code] as const]
      : [["error", answer.error] as const, ["error_description", answer.description] as const]),
    ...(state === null ? [] : [["state", state] as const]),
    ["iss", settings.baseUrl],
  ]);
