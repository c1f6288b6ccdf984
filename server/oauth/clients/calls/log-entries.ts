import type { FailureNote } from "#db/schema/operations";
import type { AuditedAct } from "#server/audit/audit";
import type { SentCredentials } from "../authenticate-client";

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

export const unmatchedRoute = "unmatched";

/** Never the sender's address: it is often the player's. */
export interface LoggedCall {
  readonly id: string;
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly failureCode: number | null;
  readonly micros: number;
  /** Null if the route determines it. */
  readonly path: string | null;
  readonly userAgent: string | null;
  /** Null without an account or live consent. */
  readonly player: CallingPlayer | null;
  /** Null for successes, and beyond the stored sample of frequent failures. */
  readonly failure: FailureNote | null;
}

export interface CallingPlayer {
  readonly id: number;
  readonly name: string;
}

export interface FailedAttempt {
  readonly id: string;
  readonly at: Date;
  readonly act: FailedAct;
  readonly requestId: string | null;
  readonly endpoint: string | null;
  readonly error: string | null;
  readonly description: string | null;
  readonly redirectUri: string | null;
  /** Null in events of releases that did not record it. */
  readonly authorization: SentCredentials["authorization"] | null;
  readonly fields: readonly string[] | null;
  readonly emptyFields: readonly string[] | null;
}

export const failedActs = [
  "authorization.refused",
  "consent.denied",
  "token_request.refused",
  "code.reused",
  "refresh_token.reused",
] as const satisfies readonly AuditedAct[];
export type FailedAct = (typeof failedActs)[number];

export const succeededActs = [
  "consent.shown",
  "consent.approved",
  "code.issued",
  "token.issued",
  "token.refreshed",
  "token.revoked",
] as const satisfies readonly AuditedAct[];
export type SucceededAct = (typeof succeededActs)[number];
