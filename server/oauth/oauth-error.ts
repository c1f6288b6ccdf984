/** The error words that we send to clients, all from the IANA registry (RFC 6749 section 5.2, RFC 8628 for `slow_down`). */
export type OAuthErrorWord =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "slow_down"
  | "server_error";

/** A refusal by the token, revocation or introspection endpoint. The message is the public `error_description`. */
export interface OAuthError extends Error {
  readonly word: OAuthErrorWord;
  readonly status: number;
  /** Seconds after which a further try makes sense. */
  readonly retryAfter: number | undefined;
}

const brand = Symbol.for("adjutant.oauth-error");
/** RFC 6749 section 5.2: 400, and 401 where client authentication failed. */
const statuses: Partial<Record<OAuthErrorWord, number>> = { invalid_client: 401, slow_down: 429, server_error: 500 };

/**
 * A refusal, ready to be thrown.
 * @param description ASCII without quotes and backslashes, as RFC 6749 section 5.2 wants it; never a secret
 */
export function oauthError(
  word: OAuthErrorWord,
  description: string,
  more: { readonly status?: number; readonly retryAfter?: number; readonly cause?: unknown } = {},
): OAuthError {
  const error = new Error(description, { cause: more.cause });
  const status = more.status ?? statuses[word] ?? 400;
  return Object.assign(error, { name: "OAuthError", [brand]: true, word, status, retryAfter: more.retryAfter });
}

/** Whether something thrown is such a refusal. Told apart by brand: two copies of this module live in one process. */
export const isOAuthError = (thrown: unknown): thrown is OAuthError =>
  typeof thrown === "object" && thrown !== null && brand in thrown;
