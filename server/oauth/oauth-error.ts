import { defineError } from "#server/platform/errors";

/** Backticks mark code. */
export interface OAuthErrorAdvice {
  readonly cause: string;
  readonly remedy: string;
}

/**
 * Errors of RFC 6749 section 5.2, and `slow_down` of RFC 8628. A refusal may set another status.
 */
export const tokenErrors = {
  invalid_request: {
    status: 400,
    cause:
      "No form body, a parameter missing or twice, or the client authenticated twice. 405 for another method than POST, 413 for a body that is too large.",
    remedy: "`error_description` says which. Parameters in the URL are not read.",
  },
  invalid_client: {
    status: 401,
    cause:
      "An unknown application, a wrong, expired or deleted secret, a secret in the body, or a secret sent by a public application.",
    remedy:
      "Authenticate by HTTP Basic. Nothing was used up: the same code or refresh token still works.",
  },
  invalid_grant: {
    status: 400,
    cause:
      "The code or refresh token is unknown, used, expired or of another application, `redirect_uri` or `code_verifier` differ, or the player ended or paused the access.",
    remedy:
      "Forget the tokens and send the player through the flow again. Do not repeat the request. If the description says that the player paused the application, keep the refresh token: it works again after they resume.",
  },
  invalid_scope: {
    status: 400,
    cause: "`scope` names an unknown scope, or more than was granted.",
    remedy: "Leave `scope` out of token requests; ask for more at the authorization endpoint.",
  },
  unauthorized_client: {
    status: 400,
    cause: "The application is suspended, or a public application tried to refresh.",
    remedy:
      "A public application sends the player through the flow again. The reason for a suspension is in the developer's notices.",
  },
  unsupported_grant_type: {
    status: 400,
    cause: "`grant_type` is neither `authorization_code` nor `refresh_token`.",
    remedy: "Send one of these two.",
  },
  slow_down: {
    status: 429,
    cause: "Too many requests, or too many failures, within this minute.",
    remedy: "Wait for `Retry-After` seconds, then send the same request again.",
  },
  server_error: {
    status: 500,
    cause: "An error on our side; 503 while a part of the service cannot be reached.",
    remedy:
      "Wait for `Retry-After`, or a few seconds. The OAuth guide lists, under Retries, what may be sent again.",
  },
} as const satisfies Readonly<Record<string, OAuthErrorAdvice & { readonly status: number }>>;

export type OAuthErrorWord = keyof typeof tokenErrors;

interface Fields {
  readonly word: OAuthErrorWord;
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** The message is the public `error_description`. */
export type OAuthError = Error & Fields;

const kind = defineError<Fields>("OAuthError");
/**
 * @param description ASCII without quotes and backslashes (RFC 6749 section 5.2); never a secret
 */
export function oauthError(
  word: OAuthErrorWord,
  description: string,
  more: { readonly status?: number; readonly retryAfter?: number; readonly cause?: unknown } = {},
): OAuthError {
  const status = more.status ?? tokenErrors[word].status;
  return kind.create(description, { word, status, retryAfter: more.retryAfter }, more.cause);
}

export const isOAuthError = kind.is;

export const startAgainAdvice = "Send the player through the flow again.";
export const exchangeOnceAdvice = `Exchange each code once, in one place: a second process, a reloaded page or a repeated job must not send it again. ${startAgainAdvice}`;
export const keepNewestAdvice =
  "Store the new refresh token before you use anything of the response, and let one process at a time refresh.";
const sameVerifier = `Keep the verifier until the exchange, one for each request. The challenge is its SHA-256 hash in base64url, without padding. ${startAgainAdvice}`;

/** Refusals that need a more precise remedy than that of their error. */
export const oauthRefusals = {
  noForm: {
    word: "invalid_request",
    description: "The body must be sent as application/x-www-form-urlencoded.",
    remedy: "Send a form, not JSON: `Content-Type: application/x-www-form-urlencoded`.",
  },
  applicationSuspended: {
    word: "unauthorized_client",
    description: "The application is suspended.",
    remedy: "An admin suspended it. The reason is in your notices.",
  },
  clientUnknown: {
    word: "invalid_client",
    description: "The client_id is unknown.",
    remedy: "Send the `client_id` that the application's page shows.",
  },
  secretUnknown: {
    word: "invalid_client",
    description:
      "The secret is none of the application's live ones. It may be mistyped, deleted or expired.",
    remedy:
      "Compare it with the secrets on the application's page, or create a new one there. Nothing was used up: the same code or refresh token still works.",
  },
  codeUnknown: {
    word: "invalid_grant",
    description: "The code is unknown, or was issued to another application.",
    remedy: `Send the whole code from the redirect, decoded once, with the \`client_id\` that asked for it. ${startAgainAdvice}`,
  },
  codeExpired: {
    word: "invalid_grant",
    description: "The code has expired.",
    remedy: `Exchange the code as soon as it arrives, within a minute. ${startAgainAdvice}`,
  },
  codeUsed: {
    word: "invalid_grant",
    description: "The code was already used.",
    remedy: exchangeOnceAdvice,
  },
  redirectUriDiffers: {
    word: "invalid_grant",
    description: "The redirect_uri is not the one of the authorization request.",
    remedy: `Send the same \`redirect_uri\` to both endpoints, character by character. ${startAgainAdvice}`,
  },
  verifierMissing: {
    word: "invalid_grant",
    description: "The code_verifier is missing.",
    remedy: sameVerifier,
  },
  verifierDiffers: {
    word: "invalid_grant",
    description: "The code_verifier does not fit the code_challenge.",
    remedy: sameVerifier,
  },
  refreshTokenUnknown: {
    word: "invalid_grant",
    description: "The refresh token is unknown.",
    remedy: `Send the whole token of the newest response, with the \`client_id\` that it was issued to. ${startAgainAdvice}`,
  },
  refreshTokenUsed: {
    word: "invalid_grant",
    description: "The refresh token was already used.",
    remedy: `${keepNewestAdvice} ${startAgainAdvice}`,
  },
  authorizationEnded: {
    word: "invalid_grant",
    description: "The authorization has ended.",
    remedy: `The player or an admin ended it. Forget the tokens. ${startAgainAdvice}`,
  },
  applicationPaused: {
    word: "invalid_grant",
    description: "The player has paused the application.",
    remedy: "Keep the refresh token: it works again when the player resumes.",
  },
} as const satisfies Readonly<
  Record<string, { readonly word: OAuthErrorWord; description: string; remedy: string }>
>;

export function oauthRefusal(refusal: keyof typeof oauthRefusals): OAuthError {
  const { word, description } = oauthRefusals[refusal];
  return oauthError(word, description);
}
