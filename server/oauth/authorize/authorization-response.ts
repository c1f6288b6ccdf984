import { withParameters } from "../redirect-uri";

/** The error words of an authorization response (RFC 6749 section 4.1.2.1; the last two from OpenID Connect Core 3.1.2.6). */
export type AuthorizationErrorWord =
  | "invalid_request"
  | "access_denied"
  | "unsupported_response_type"
  | "invalid_scope"
  | "login_required"
  | "consent_required";

/** Why a request is sent back to its client. */
export interface AuthorizationRefusal {
  readonly error: AuthorizationErrorWord;
  /** ASCII, for the developer. */
  readonly description: string;
}

/** The recipient of an authorization response. */
export interface Addressee {
  readonly redirectUri: string;
  /** As sent; null where the client sent none that could be given back. */
  readonly state: string | null;
  readonly issuer: string;
}

/** The address that takes the code to the client. `iss` says who answers (RFC 9207 section 2). */
export const codeLocation = ({ redirectUri, state, issuer }: Addressee, code: string): string =>
  withParameters(redirectUri, [["code", code], ...stateOf(state), ["iss", issuer]]);

/** The address that takes a refusal to the client; it has `iss` as well, because clients refuse answers without it. */
export const errorLocation = (
  { redirectUri, state, issuer }: Addressee,
  refusal: AuthorizationRefusal,
): string =>
  withParameters(redirectUri, [
    ["error", refusal.error],
    ["error_description", refusal.description],
    ...stateOf(state),
    ["iss", issuer],
  ]);

const stateOf = (state: string | null): [string, string][] =>
  state === null ? [] : [["state", state]];
