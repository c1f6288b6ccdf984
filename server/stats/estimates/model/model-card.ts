import { z } from "zod";

const Metrics = z.object({
  count: z.int(),
  median: z.number(),
  p90: z.number(),
  within125: z.number(),
  within2: z.number(),
  within2Total: z.number(),
  bias: z.number(),
});

/** What everybody may know of a model: on how many players it learned, when, and how well it does on players held back. */
export const ModelCard = z.object({
  trainedAt: z.iso.datetime(),
  /** Players, by what they were used for. */
  rows: z.object({ train: z.int(), validation: z.int(), test: z.int(), lowerBounds: z.int() }),
  /** On the players of the test, who were in no part of the training. */
  metrics: Metrics,
  /** What the mean of a level band would have reached on the same players. */
  baseline: Metrics,
  byScore: z.array(z.object({ from: z.number(), metrics: Metrics })),
  byLevel: z.array(z.object({ from: z.int(), metrics: Metrics })),
  byAge: z.array(z.object({ from: z.int(), metrics: Metrics })),
  /** Between these factors of an estimate the truth lies for eight of ten players. */
  usualRange: z.tuple([z.number(), z.number()]),
  /** Part of the test's players for whom it did. */
  coverage: z.number(),
  penalty: z.number(),
  trees: z.int(),
  features: z.array(z.string()),
});
export type ModelCard = z.output<typeof ModelCard>;
