import { z } from "zod";
import { dayMs, toUnixSeconds, weekMs } from "#server/platform/time";
import { UnixSeconds } from "#server/rest/shapes";
import { statTotalRange } from "../fair-fight";
import type { EstimateSubject } from "./model/estimate-model";
import type { PlayerCounters } from "./store";

export const StatEstimate = z
  .object({
    stat_score: z.number().meta({
      description: "Expected sum of the square roots of the four battle stats.",
      examples: [5_600.25],
    }),
    min_bs: z.int().meta({
      description: "The sum of the battle stats that goes with the score where all four are equal.",
      examples: [7_840_700],
    }),
    max_bs: z.int().meta({
      description: "The sum that goes with it for a build as lopsided as builds are in practice.",
      examples: [11_404_654],
    }),
    expiration: UnixSeconds.meta({
      description:
        "A week after the public counters that it rests on were read. In the past where they could not be read again.",
    }),
  })
  .meta({ id: "StatEstimate" });

export const statEstimateRecord = (estimate: Estimate): z.output<typeof StatEstimate> => ({
  stat_score: estimate.score,
  min_bs: estimate.min,
  max_bs: estimate.max,
  expiration: toUnixSeconds(estimate.expiresAt),
});

/** Counters and estimates are used for this long. */
const lifetimeMs = weekMs;
const decimals = 100;

export const freshnessCutoff = (now: Date): Date => new Date(now.getTime() - lifetimeMs);

export type Estimate = ReturnType<typeof estimateOf>;

/** Expiry counts from the reading of the counters or from the estimate, whichever came first. */
export function estimateOf(
  score: number,
  { statsAt, at }: { readonly statsAt: Date; readonly at: Date },
) {
  const rounded = Math.round(score * decimals) / decimals;
  const since = Math.min(statsAt.getTime(), at.getTime());
  return {
    score: rounded,
    ...statTotalRange(rounded),
    since: new Date(since),
    expiresAt: new Date(since + lifetimeMs),
  };
}

/** Training and use share this input. The player's age is as of the counters. */
export const subjectOf = ({
  level,
  signedUp,
  counters,
  statsAt,
}: PlayerCounters): EstimateSubject => ({
  level,
  counters,
  ageDays: signedUp && (statsAt.getTime() - signedUp.getTime()) / dayMs,
});
