/** How raw features become comparable ones: mean and spread of the training rows, by feature. */
export interface Scale {
  readonly means: readonly number[];
  readonly spreads: readonly number[];
  /** The features that were missing in some training rows: each has a column that says so. */
  readonly flagged: readonly number[];
}

/** A feature counts no further than this many spreads from its mean: the square of more would run away. */
const farthest = 4;
const smallestSpread = 1e-6;

/** Mean and spread of each feature over the rows that know it. */
export function scaleOf(rows: readonly Float64Array[]): Scale {
  const width = rows[0]?.length ?? 0;
  const [means, spreads, flagged]: [number[], number[], number[]] = [[], [], []];
  for (let feature = 0; feature < width; feature++) {
    const known = rows.flatMap((row) => (Number.isNaN(row[feature]) ? [] : [row[feature] ?? 0]));
    const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
    const variance = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length);
    means.push(mean);
    spreads.push(Math.max(smallestSpread, Math.sqrt(variance)));
    if (known.length < rows.length) flagged.push(feature);
  }
  return { means, spreads, flagged };
}

/** Standardised features; one that is not known stands at the mean. */
export function standardised(row: Float64Array, { means, spreads }: Scale): Float64Array {
  return row.map((value, feature) => {
    if (Number.isNaN(value)) return 0;
    const z = (value - (means[feature] ?? 0)) / (spreads[feature] ?? 1);
    return Math.min(farthest, Math.max(-farthest, z));
  });
}

/** The columns that the ridge sees: a one, each feature, its square, and the flags of what is not known. */
export function columnsOf(row: Float64Array, scale: Scale): Float64Array {
  const z = standardised(row, scale);
  const columns = new Float64Array(1 + 2 * z.length + scale.flagged.length);
  columns[0] = 1;
  columns.set(z, 1);
  columns.set(
    z.map((value) => value * value),
    1 + z.length,
  );
  columns.set(
    scale.flagged.map((feature) => (Number.isNaN(row[feature]) ? 1 : 0)),
    1 + 2 * z.length,
  );
  return columns;
}
