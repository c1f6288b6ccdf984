/** Weighted rows of a linear problem. */
export interface LinearRows {
  readonly columns: readonly Float64Array[];
  readonly targets: Float64Array;
  readonly weights: Float64Array;
}

/**
 * Linear least squares with a penalty on every coefficient but the first (the one for the constant column), in closed form.
 * @param penalty in rows of average weight: 10 pulls a coefficient to zero as ten rows would
 */
export function fitRidge({ columns, targets, weights }: LinearRows, penalty: number): number[] {
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
      for (let other = 0; other <= one; other++) line[other] = (line[other] ?? 0) + scaled * (row[other] ?? 0);
    }
  }
  const strength = (penalty * total) / Math.max(1, columns.length);
  for (const [place, line] of matrix.entries())
    line[place] = (line[place] ?? 0) + (place === 0 ? 1e-9 : strength + 1e-9);
  return solve(matrix, right);
}

/** The value of the linear function at one row. */
export const linear = (coefficients: readonly number[], row: Float64Array): number =>
  coefficients.reduce((sum, coefficient, place) => sum + coefficient * (row[place] ?? 0), 0);

/** Solves a symmetric positive system by Cholesky's method; `matrix` holds the lower half and is used up. */
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
