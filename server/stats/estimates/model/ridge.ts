export interface Scale {
  readonly means: number[];
  readonly spreads: number[];
  /** Features missing in some training rows: each has an indicator column. */
  readonly flagged: number[];
}

/** Features are clamped at this many spreads from the mean, because their squares would explode. */
const farthest = 4;
const smallestSpread = 1e-6;

export function scaleOf(rows: readonly Float64Array[]): Scale {
  const width = rows[0]?.length ?? 0;
  const [means, spreads, flagged]: [number[], number[], number[]] = [[], [], []];
  for (let feature = 0; feature < width; feature++) {
    const known = rows.flatMap((row) => (Number.isNaN(row[feature]) ? [] : [row[feature] ?? 0]));
    const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length);
    const variance =
      known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length);
    means.push(mean);
    spreads.push(Math.max(smallestSpread, Math.sqrt(variance)));
    if (known.length < rows.length) flagged.push(feature);
  }
  return { means, spreads, flagged };
}

function standardised(row: Float64Array, { means, spreads }: Scale): Float64Array {
  return row.map((value, feature) => {
    if (Number.isNaN(value)) return 0;
    const z = (value - (means[feature] ?? 0)) / (spreads[feature] ?? 1);
    return Math.min(farthest, Math.max(-farthest, z));
  });
}

/** Columns: a one, each feature, its square, and the missing flags. */
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

interface LinearRows {
  readonly columns: readonly Float64Array[];
  readonly targets: Float64Array;
  readonly weights: Float64Array;
}

/**
 * Weighted least squares in closed form, with a penalty on all coefficients except the constant.
 * @param penalty in rows of average weight: 10 pulls a coefficient to zero as ten rows would
 */
function fitRidge({ columns, targets, weights }: LinearRows, penalty: number): number[] {
  const width = columns[0]?.length ?? 0;
  const matrix = Array.from({ length: width }, () => new Float64Array(width));
  const right = new Float64Array(width);
  let total = 0;
  for (const [index, row] of columns.entries()) {
    const weight = weights[index] ?? 0;
    if (weight === 0) continue;
    total += weight;
    for (let one = 0; one < width; one++) {
      const scaled = weight * (row[one] ?? 0);
      right[one] = (right[one] ?? 0) + scaled * (targets[index] ?? 0);
      const line = matrix[one];
      if (!line) continue;
      for (let other = 0; other <= one; other++)
        line[other] = (line[other] ?? 0) + scaled * (row[other] ?? 0);
    }
  }
  const strength = (penalty * total) / Math.max(1, columns.length);
  for (const [place, line] of matrix.entries())
    line[place] = (line[place] ?? 0) + (place === 0 ? 1e-9 : strength + 1e-9);
  return solve(matrix, right);
}

export const linear = (coefficients: readonly number[], row: Float64Array): number =>
  coefficients.reduce((sum, coefficient, place) => sum + coefficient * (row[place] ?? 0), 0);

/**
 * Cholesky solution of a symmetric positive system; `matrix` holds the lower half and is
 * overwritten.
 */
function solve(matrix: Float64Array[], right: Float64Array): number[] {
  const at = (row: number, column: number) => matrix[row]?.[column] ?? 0;
  for (const [row, line] of matrix.entries()) {
    for (let column = 0; column <= row; column++) {
      let sum = line[column] ?? 0;
      for (let k = 0; k < column; k++) sum -= (line[k] ?? 0) * at(column, k);
      line[column] = row === column ? Math.sqrt(Math.max(sum, 1e-12)) : sum / at(column, column);
    }
  }
  const forward = new Float64Array(right.length);
  for (let row = 0; row < right.length; row++) {
    let sum = right[row] ?? 0;
    for (let k = 0; k < row; k++) sum -= at(row, k) * (forward[k] ?? 0);
    forward[row] = sum / at(row, row);
  }
  const result = new Array<number>(right.length).fill(0);
  for (let row = right.length - 1; row >= 0; row--) {
    let sum = forward[row] ?? 0;
    for (let k = row + 1; k < right.length; k++) sum -= at(k, row) * (result[k] ?? 0);
    result[row] = sum / at(row, row);
  }
  return result;
}

interface BoundedRows extends LinearRows {
  readonly lowerBound: readonly boolean[];
}

const rounds = 4;

/**
 * A lower bound counts only while the fit is below it. Without bounds the model learns only from
 * beaten players and underestimates those that never lose.
 */
export function fitRidgeWithBounds(rows: BoundedRows, penalty: number): number[] {
  const { columns, targets, lowerBound } = rows;
  let weights = rows.weights.map((weight, at) => (lowerBound[at] ? 0 : weight));
  let coefficients = fitRidge({ columns, targets, weights }, penalty);
  for (let round = 0; round < rounds && lowerBound.includes(true); round++) {
    const below = columns.map(
      (row, at) => lowerBound[at] === true && linear(coefficients, row) < (targets[at] ?? 0),
    );
    weights = rows.weights.map((weight, at) => (lowerBound[at] && !below[at] ? 0 : weight));
    coefficients = fitRidge({ columns, targets, weights }, penalty);
  }
  return coefficients;
}
