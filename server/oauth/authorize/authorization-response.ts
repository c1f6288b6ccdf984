import { withParameters } from "../redirect-uri";

/** RFC 6749 section 4.1.2.1; the last two from OpenID Connect Core 3.1.2.6. */
export type AuthorizationErrorWord =
  | "invalid_request"
  | "access_denied"
  | "unsupported_response_type"
  | "invalid_scope"
  | "login_required"
  | "consent_required";

export interface AuthorizationRefusal {
  readonly error: AuthorizationErrorWord;
  /** ASCII, for the developer. */
  readonly description: string;
}

export interface Addressee {
  readonly redirectUri: string;
  readonly state: string | null;
  readonly issuer: string;
}

/** RFC 9207 section 2 requires `iss`. */
export const codeLocation = ({ redirectUri, state, issuer }: Addressee, code: string): string =>
  withParameters(redirectUri, [["code", code], ...stateOf(state), ["iss", issuer]]);

/** Clients refuse answers without `iss`. */
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
