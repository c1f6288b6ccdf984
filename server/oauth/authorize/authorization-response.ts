import type { OAuthErrorAdvice } from "../oauth-error";
import { withParameters } from "../redirect-uri";

/**
 * RFC 6749 section 4.1.2.1; the last two from OpenID Connect Core 3.1.2.6. With the guide's advice,
 * where backticks mark code.
 */
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
  /** ASCII, for the developer. */
  readonly description: string;
}

/** Refused by the server: the application is not opened yet. */
export const notTestPlayer: AuthorizationRefusal = {
  error: "access_denied",
  description:
    "The application is in test, and the player is neither in its team nor a test player.",
};

interface Addressee {
  readonly redirectUri: string;
  readonly state: string | null;
  readonly issuer: string;
}

export const codeLocation = (to: Addressee, code: string): string => located(to, { code });

export const errorLocation = (
  to: Addressee,
  { error, description }: AuthorizationRefusal,
): string => located(to, { error, error_description: description });

/** RFC 9207 section 2 requires `iss`, in errors too. */
const located = (
  { redirectUri, state, issuer: iss }: Addressee,
  answer: Readonly<Record<string, string>>,
): string =>
  withParameters(redirectUri, [
    ...Object.entries(answer),
    ...(state === null ? [] : [["state", state] as const]),
    ["iss", iss],
  ]);
