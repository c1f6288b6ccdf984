import { defineError } from "#server/platform/errors";

/** For developers. Backticks mark code. */
export interface OAuthErrorAdvice {
  readonly cause: string;
  readonly remedy: string;
}

/** IANA registry: RFC 6749 section 5.2, RFC 8628 for `slow_down`. With the usual status. */
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
