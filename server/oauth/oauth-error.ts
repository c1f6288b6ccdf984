import { defineError } from "#server/platform/errors";

/** IANA registry: RFC 6749 section 5.2, RFC 8628 for `slow_down`. */
export type OAuthErrorWord =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "slow_down"
  | "server_error";

interface Fields {
  readonly word: OAuthErrorWord;
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/** The message is the public `error_description`. */
export type OAuthError = Error & Fields;

const kind = defineError<Fields>("OAuthError");
/** RFC 6749 section 5.2. */
const statuses: Partial<Record<OAuthErrorWord, number>> = {
  invalid_client: 401,
  slow_down: 429,
  server_error: 500,
};

/**
 * @param description ASCII without quotes and backslashes (RFC 6749 section 5.2); never a secret
 */
export function oauthError(
  word: OAuthErrorWord,
  description: string,
  more: { readonly status?: number; readonly retryAfter?: number; readonly cause?: unknown } = {},
): OAuthError {
  const status = more.status ?? statuses[word] ?? 400;
  return kind.create(description, { word, status, retryAfter: more.retryAfter }, more.cause);
}

export const isOAuthError = kind.is;
