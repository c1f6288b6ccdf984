import type { AuditedAct } from "#server/audit/audit";
import type { SentCredentials } from "../authenticate-client";

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

/** What counts as a failure. */
export const failedActs = [
  "authorization-failed",
  "consent-denied",
  "token-request-failed",
  "code-reused",
  "refresh-reused",
] as const satisfies readonly AuditedAct[];
export type FailedAct = (typeof failedActs)[number];

/** What an authorization or token request may bring about instead. */
export const succeededActs = [
  "consent-shown",
  "consent-approved",
  "code-issued",
  "tokens-issued",
  "tokens-refreshed",
  "token-revoked",
] as const satisfies readonly AuditedAct[];
export type SucceededAct = (typeof succeededActs)[number];
