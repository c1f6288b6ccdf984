import { z } from "zod";
import type { AuditedAct } from "#server/audit/audit";
import { moment, text } from "#server/platform/input-schemas";
import { trafficRanges } from "../traffic/traffic";

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

export const CallFilter = z.object({
  outcome: z.enum(callOutcomes).default("all"),
  /** Method and route, as "GET /api/v1/user", or "unmatched". */
  endpoint: text(200).nullable().default(null),
  player: text(100).nullable().default(null),
  range: z.enum(trafficRanges).default("30d"),
  until: moment.nullable().default(null),
});
export type CallFilter = z.output<typeof CallFilter>;

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
