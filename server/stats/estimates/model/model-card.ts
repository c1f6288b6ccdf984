import { z } from "zod";

const Accuracy = z.object({
  count: z.int(),
  /** Median of |predicted / true − 1|. */
  median: z.number(),
  p90: z.number(),
  within125: z.number(),
  within2: z.number(),
  /** Share within a factor of 2 of the stat total, which grows with the square of the score. */
  within2Total: z.number(),
  /** Mean of ln(predicted / true): negative if the model underestimates. */
  bias: z.number(),
});
export type Accuracy = Readonly<z.output<typeof Accuracy>>;

export const ModelCard = z.object({
  trainedAt: z.iso.datetime(),
  rows: z.object({ train: z.int(), validation: z.int(), test: z.int(), lowerBounds: z.int() }),
  /** Accuracy on the test players, which no part of the training saw. */
  metrics: Accuracy,
  /** Accuracy of the mean of each level band, on the test players. */
  baseline: Accuracy,
  byScore: z.array(z.object({ from: z.number(), metrics: Accuracy })),
  /** For eight of ten players the truth lies between these multiples of the prediction. */
  usualRange: z.tuple([z.number(), z.number()]),
});
export type ModelCard = z.output<typeof ModelCard>;

/** @param pairs natural logarithms of predicted and true score */
export function accuracyOf(
  pairs: readonly (readonly [predicted: number, truth: number])[],
): Accuracy {
  const count = pairs.length;
  const differences = pairs.map(([predicted, truth]) => predicted - truth);
  const errors = differences
    .map((difference) => Math.abs(Math.exp(difference) - 1))
    .sort((a, b) => a - b);
  const at = (share: number) =>
    errors[Math.min(count - 1, Math.floor(share * count))] ?? Number.NaN;
  const within = (factor: number) =>
    differences.filter((difference) => Math.abs(difference) <= Math.log(factor)).length / count;
  return {
    count,
    median: at(0.5),
    p90: at(0.9),
    within125: within(1.25),
    within2: within(2),
    within2Total: within(Math.SQRT2),
    bias: differences.reduce((sum, difference) => sum + difference, 0) / count,
  };
}

/** Predicts the mean ln(score) of the level band, as a baseline without a model. */
export function createLevelBaseline(
  rows: readonly { level: number | null; target: number }[],
): (level: number | null) => number {
  const bandOf = (level: number | null) => (level === null ? -1 : Math.floor(level / 5));
  const bands = new Map<number, { sum: number; count: number }>();
  for (const { level, target } of rows) {
    const band = bands.get(bandOf(level)) ?? { sum: 0, count: 0 };
    bands.set(bandOf(level), { sum: band.sum + target, count: band.count + 1 });
  }
  const all = rows.reduce((sum, { target }) => sum + target, 0) / Math.max(1, rows.length);
  return (level) => {
    const band = bands.get(bandOf(level));
    return band ? band.sum / band.count : all;
  };
}
