import { z } from "zod";
import { toUnixSeconds } from "#server/platform/time";
import { UnixSeconds } from "#server/rest/shapes";
import type { Estimate } from "./estimate";

/** What the model expects of a player's battle stats. */
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
        "A week after the public counters that it rests on were read. In the past where they could not be read anew.",
    }),
  })
  .meta({ id: "StatEstimate" });

export const statEstimate = (estimate: Estimate): z.output<typeof StatEstimate> => ({
  stat_score: estimate.score,
  min_bs: estimate.min,
  max_bs: estimate.max,
  expiration: toUnixSeconds(estimate.expiresAt),
});
