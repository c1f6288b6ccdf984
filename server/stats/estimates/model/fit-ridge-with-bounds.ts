import { fitRidge, linear } from "./ridge";

/** Rows of which some say only "at least". */
export interface BoundedRows {
  readonly columns: readonly Float64Array[];
  readonly targets: Float64Array;
  readonly weights: Float64Array;
  readonly lowerBound: readonly boolean[];
}

const rounds = 4;

/**
 * Fits a ridge where a row that is a lower bound pulls only while the fit stays below it. Without such rows a model learns from
 * beaten players alone, and thinks too little of those who never lose.
 */
export function fitRidgeWithBounds(rows: BoundedRows, penalty: number): number[] {
  const { columns, targets, lowerBound } = rows;
  let weights = rows.weights.map((weight, at) => (lowerBound[at] ? 0 : weight));
  let coefficients = fitRidge({ columns, targets, weights }, penalty);
  for (let round = 0; round < rounds && lowerBound.includes(true); round++) {
    const below = columns.map((row, at) => lowerBound[at] === true && linear(coefficients, row) < (targets[at] ?? 0));
    weights = rows.weights.map((weight, at) => (lowerBound[at] && !below[at] ? 0 : weight));
    coefficients = fitRidge({ columns, targets, weights }, penalty);
  }
  return coefficients;
}
