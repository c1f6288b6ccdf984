import type { AuditedAct } from "#server/audit/audit";

export const callOutcomes = [
  ...(["all", "good", "failed", "limited"] as const),
  ...(["400", "401", "403", "404", "409", "422", "5xx"] as const),
] as const;
export type CallOutcome = (typeof callOutcomes)[number];

export const unmatchedRoute = "unmatched";

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
