import { isPortalRefusal, type PortalRefusal, portalRefusal } from "#server/portal-refusal";

/**
 * Why a pending authorization request cannot be shown or decided.
 * - unknown: there is none, or its application or redirect URI is no longer registered
 * - expired: it waited longer than ten minutes
 * - decided: it was answered before
 * - foreign: another browser started it, or another account was asked
 * - changed: what the answered page showed no longer holds, and must be asked again
 * - stale-sign-in: the client wants a new sign-in
 * - unconfirmed: the user must confirm who they are before the first consent to a sensitive scope
 */
export type AuthorizationFailureKind =
  | "unknown"
  | "expired"
  | "decided"
  | "foreign"
  | "changed"
  | "stale-sign-in"
  | "unconfirmed";

/** The words by which the consent page tells them apart. */
export const requestReasons = {
  unknown: "REQUEST_UNKNOWN",
  expired: "REQUEST_EXPIRED",
  decided: "REQUEST_DECIDED",
  foreign: "REQUEST_FOREIGN",
  changed: "REQUEST_CHANGED",
  "stale-sign-in": "SIGN_IN_STALE",
  unconfirmed: "CONFIRMATION_WANTED",
} as const satisfies Record<AuthorizationFailureKind, string>;

const sentences: Record<AuthorizationFailureKind, string> = {
  unknown: "There is no such authorization request. Start again from the application.",
  expired: "The authorization request has expired. Start again from the application.",
  decided: "The authorization request was already answered.",
  foreign: "The authorization request belongs to another browser or account. Start again from the application.",
  changed: "The application's request has changed. Read it again.",
  "stale-sign-in": "Sign in again to answer the authorization request.",
  unconfirmed: "Confirm it's you to continue.",
};

const statuses: Readonly<Record<AuthorizationFailureKind, number>> = {
  ...{ unknown: 404, expired: 409, decided: 409, changed: 409 },
  ...{ foreign: 403, "stale-sign-in": 403, unconfirmed: 403 },
};

/** The authorization request cannot be shown or decided. */
export type AuthorizationFailure = PortalRefusal & { readonly kind: AuthorizationFailureKind };

/** A failure ready to be thrown. */
export function authorizationFailure(kind: AuthorizationFailureKind): AuthorizationFailure {
  const [reason, status, message] = [requestReasons[kind], statuses[kind], sentences[kind]];
  return Object.assign(portalRefusal({ name: "AuthorizationFailure", reason, status, message }), { kind });
}

/** Whether something thrown is such a failure, of one kind if `kind` is given. */
export const isAuthorizationFailure = (
  thrown: unknown,
  kind?: AuthorizationFailureKind,
): thrown is AuthorizationFailure =>
  isPortalRefusal(thrown) && "kind" in thrown && (kind === undefined || thrown.kind === kind);
