/**
 * Why a parked authorization request cannot be shown or decided.
 * - unknown: there is none, or its application or redirect URI is no longer registered
 * - expired: it waited longer than ten minutes
 * - decided: it was answered before
 * - foreign: another browser started it, or another account was asked
 * - changed: what the answered page showed no longer holds, and must be asked again
 * - stale-sign-in: the client wants a new sign-in
 * - unconfirmed: the user must confirm who they are before the first consent to a sensitive scope
 */
export type RequestFailureKind =
  | "unknown"
  | "expired"
  | "decided"
  | "foreign"
  | "changed"
  | "stale-sign-in"
  | "unconfirmed";

export interface RequestFailure extends Error {
  readonly kind: RequestFailureKind;
}

const brand = Symbol.for("adjutant.request-failure");

const sentences: Record<RequestFailureKind, string> = {
  unknown: "There is no such authorization request. Start again from the application.",
  expired: "The authorization request has expired. Start again from the application.",
  decided: "The authorization request was already answered.",
  foreign: "The authorization request belongs to another browser or account. Start again from the application.",
  changed: "The application's request has changed. Read it again.",
  "stale-sign-in": "Sign in again to answer the authorization request.",
  unconfirmed: "Confirm it's you to continue.",
};

/** A failure ready to be thrown. */
export const requestFailure = (kind: RequestFailureKind): RequestFailure =>
  Object.assign(new Error(sentences[kind]), { name: "RequestFailure", [brand]: true, kind });

/** Whether something thrown is such a failure, of one kind if `kind` is given. */
export function isRequestFailure(thrown: unknown, kind?: RequestFailureKind): thrown is RequestFailure {
  if (typeof thrown !== "object" || thrown === null || !(brand in thrown)) return false;
  return kind === undefined || (thrown as unknown as RequestFailure).kind === kind;
}
