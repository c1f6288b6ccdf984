/** How good predictions of a score are. Shares are 0 … 1. */
export interface Accuracy {
  readonly count: number;
  /** Of |predicted / true − 1|. */
  readonly median: number;
  readonly p90: number;
  /** Within a factor of 1.25 and 2 of the score. */
  readonly within125: number;
  readonly within2: number;
  /** Within a factor of 2 of the total, which goes with the square of the score. */
  readonly within2Total: number;
  /** Mean of ln(predicted / true): below 0 where the model thinks too little of players. */
  readonly bias: number;
}

/** @param pairs natural logarithms of predicted and true score */
export function accuracyOf(pairs: readonly (readonly [predicted: number, truth: number])[]): Accuracy {
  const count = pairs.length;
  const differences = pairs.map(([predicted, truth]) => predicted - truth);
  const errors = differences.map((difference) => Math.abs(Math.exp(difference) - 1)).sort((a, b) => a - b);
  const at = (share: number) => errors[Math.min(count - 1, Math.floor(share * count))] ?? Number.NaN;
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

/** The mean of ln score by level band: what anybody could say without a model. */
export function levelBaseline(
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
