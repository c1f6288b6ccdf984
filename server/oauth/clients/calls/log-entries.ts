import type { FailureNote } from "#db/schema/operations";
import type { AuditedAct } from "#server/audit/audit";
import type { SentCredentials } from "../authenticate-client";

/** A filter for calls: all, those that worked, those that were refused or failed, or those of one status or of its hundred. */
export const callOutcomes = [
  "all",
  "good",
  "failed",
  "limited",
  "400",
  "401",
  "403",
  "404",
  "409",
  "422",
  "5xx",
] as const;
export type CallOutcome = (typeof callOutcomes)[number];

/** How far back a list reaches. */
export const callRanges = ["1h", "24h", "7d", "30d"] as const;
export type CallRange = (typeof callRanges)[number];

/** The name under which calls stand that no endpoint answered. */
export const unmatchedRoute = "unmatched";

/** One call of an application's, as its developer sees it: never from which address, which is the player's as often as not. */
export interface LoggedCall {
  readonly id: string;
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  /** The route's template. */
  readonly route: string;
  readonly status: number;
  readonly failureCode: number | null;
  readonly micros: number;
  /** In whose name; null where the player let the application in no more, or has no account here. */
  readonly player: CallingPlayer | null;
  /** What the answer said and which names were sent; null for calls that succeeded, and for the rest of very many failures. */
  readonly failure: FailureNote | null;
}

export interface CallingPlayer {
  readonly id: number;
  readonly name: string;
}

/**
 * An attempt of an application to get or use access that came to nothing, and why. Not from which address: that is the
 * player's as often as the developer's own server.
 */
export interface FailedAttempt {
  readonly id: string;
  readonly at: Date;
  readonly act: FailedAct;
  readonly requestId: string | null;
  /** Of a refused form: which endpoint. */
  readonly endpoint: string | null;
  /** The error word, as the client was told. */
  readonly error: string | null;
  readonly description: string | null;
  /** The redirect URI as it was sent, where that was the fault. */
  readonly redirectUri: string | null;
  /** How a refused form was authenticated and which parameters it had; null in events of releases that did not write it. */
  readonly authorization: SentCredentials["authorization"] | null;
  readonly fields: readonly string[] | null;
  readonly emptyFields: readonly string[] | null;
}

/** The audited acts that count as a failed attempt. */
export const failedActs = [
  "authorization-failed",
  "consent-denied",
  "token-request-failed",
  "code-reused",
  "refresh-reused",
] as const satisfies readonly AuditedAct[];
export type FailedAct = (typeof failedActs)[number];

/** The audited acts of a request that succeeded. */
export const succeededActs = [
  "consent-shown",
  "consent-approved",
  "code-issued",
  "tokens-issued",
  "tokens-refreshed",
  "token-revoked",
] as const satisfies readonly AuditedAct[];
export type SucceededAct = (typeof succeededActs)[number];
