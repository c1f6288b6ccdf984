import { z } from "zod";
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
