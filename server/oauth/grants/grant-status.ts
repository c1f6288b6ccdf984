import { covers, type ScopeName } from "#server/scopes";

/** What decides whether a grant may still be used: itself, its consent, its application and its account. */
export interface GrantStatus {
  readonly grantId: string;
  readonly consentId: string;
  readonly accountId: string;
  readonly clientId: string;
  /** What was granted on this device. */
  readonly scopes: readonly ScopeName[];
  /** What the player's consent and the application's registration allow by now. */
  readonly consented: readonly ScopeName[];
  readonly registered: readonly ScopeName[];
  readonly absoluteExpiry: Date;
  readonly until: Date | null;
  readonly grantRevokedAt: Date | null;
  readonly consentRevokedAt: Date | null;
  readonly pausedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly bannedAt: Date | null;
}

/** When the grant ends at the latest. Nothing issued under it lives longer. */
export const endOf = ({ absoluteExpiry, until }: GrantStatus): Date =>
  until && until < absoluteExpiry ? until : absoluteExpiry;

/** Whether tokens may be issued under the grant now. */
export function statusOfGrant(grant: GrantStatus, now: Date): "live" | "paused" | "ended" {
  const ended =
    grant.grantRevokedAt ?? grant.consentRevokedAt ?? grant.suspendedAt ?? grant.deletedAt ?? grant.bannedAt;
  if (ended !== null || endOf(grant) <= now) return "ended";
  return grant.pausedAt === null ? "live" : "paused";
}

/** What of the wished scopes a token may carry: those that consent and registration still cover. */
export const issuable = (grant: GrantStatus, wished: readonly ScopeName[]): ScopeName[] =>
  wished.filter((scope) => covers(grant.consented, scope) && covers(grant.registered, scope));
