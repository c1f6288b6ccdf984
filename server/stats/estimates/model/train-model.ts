import {
  designRowOf,
  dotProduct,
  type EstimateModel,
  type EstimateSubject,
  featureNames,
  featuresOf,
  predictLogScore,
  scaleOf,
} from "./estimate-model";
import { accuracyOf, createLevelBaseline, type ModelCard } from "./model-card";

export interface TrainingRow {
  readonly playerId: number;
  readonly subject: EstimateSubject;
  /** Natural logarithm of the score; a lower bound if `lowerBound`. */
  readonly target: number;
  readonly weight: number;
  readonly lowerBound: boolean;
}

interface Example extends TrainingRow {
  readonly features: Float64Array;
}

export interface Label {
  readonly score: number;
  readonly sigma: number;
  readonly lowerBound: boolean;
  readonly ageDays: number;
}

/** Even an exact fight uses an own score that is some hours old. */
const leastSigma = 0.02;
/** Labels lose weight, because players keep training. */
const halfLifeDays = 90;

const freshnessOf = (ageDays: number) => 0.5 ** (ageDays / halfLifeDays);

const weightOf = ({ sigma, ageDays }: Label) =>
  freshnessOf(ageDays) / (sigma ** 2 + leastSigma ** 2);

/**
 * The target is the weighted mean of the fights; lower bounds count only without exact scores. A
 * weight of 1 is one exact fight today.
 * @returns null without labels
 */
export function rowOf(
  playerId: number,
  subject: EstimateSubject,
  labels: readonly Label[],
): TrainingRow | null {
  if (labels.length === 0) return null;
  const exact = labels.filter(({ lowerBound }) => !lowerBound);
  if (exact.length === 0) {
    const target = Math.log(Math.max(...labels.map(({ score }) => score)));
    const weight = freshnessOf(Math.min(...labels.map(({ ageDays }) => ageDays)));
    return { playerId, subject, target, weight, lowerBound: true };
  }
  const weights = exact.map(weightOf);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const target =
    exact.reduce((total, { score }, at) => total + (weights[at] ?? 0) * Math.log(score), 0) / sum;
  // The weight is capped, because the fights of one player share the same unknowns.
  const weight = Math.min(1, sum * leastSigma ** 2);
  return { playerId, subject, target, weight, lowerBound: false };
}

/** All rows of a player are in one split, to prevent leakage. */
export type Split = "train" | "validation" | "test";

/**
 * A hash of the id gives 70 %, 15 % and 15 %, so a player's split is the same in every training.
 */
export function splitOf(playerId: number): Split {
  let hash = Math.imul(playerId ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  const share = ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  return share < 0.7 ? "train" : share < 0.85 ? "validation" : "test";
}

const penalties = [1, 10, 100];

/**
 * Ridge regression of ln(score), because it can extrapolate. The validation players choose the
 * penalty, the test players give the card's figures.
 * @param pause yields to the event loop
 * @returns null if a split has no exact score
 */
export async function trainModel(
  rows: readonly TrainingRow[],
  { trainedAt, pause }: { readonly trainedAt: Date; readonly pause: () => Promise<void> },
): Promise<{ model: EstimateModel; card: ModelCard } | null> {
  const examples = rows.map((row): Example => ({ ...row, features: featuresOf(row.subject) }));
  const of = (split: Split) => examples.filter(({ playerId }) => splitOf(playerId) === split);
  const [train, validation, test] = [of("train"), of("validation"), of("test")];
  if ([train, validation, test].some((part) => exactOf(part).length === 0)) return null;

  const scale = scaleOf(train.map(({ features }) => features));
  const targets = exactOf(train).map(({ target }) => target);
  const range: [number, number] = [
    targets.reduce((a, b) => Math.min(a, b)),
    targets.reduce((a, b) => Math.max(a, b)),
  ];
  const candidates: EstimateModel[] = [];
  for (const penalty of penalties) {
    await pause();
    candidates.push({
      features: [...featureNames],
      scale,
      range,
      coefficients: fitRidgeWithBounds(linearRows(train, scale), penalty),
    });
  }
  const errorOf = (model: EstimateModel) =>
    accuracyOf(
      exactOf(validation).map(({ features, target }) => [predictLogScore(model, features), target]),
    ).median;
  const model = candidates.reduce((a, b) => (errorOf(b) < errorOf(a) ? b : a));
  return { model, card: cardOf(model, trainedAt, { train, validation, test }) };
}

const exactOf = (rows: readonly Example[]) => rows.filter(({ lowerBound }) => !lowerBound);

const linearRows = (rows: readonly Example[], scale: EstimateModel["scale"]) => ({
  columns: rows.map(({ features }) => designRowOf(features, scale)),
  targets: Float64Array.from(rows, ({ target }) => target),
  weights: Float64Array.from(rows, ({ weight }) => weight),
  lowerBound: rows.map(({ lowerBound }) => lowerBound),
});

type LinearRows = ReturnType<typeof linearRows>;

/**
 * Weighted least squares in closed form; the constant has no penalty.
 * @param penalty in rows of average weight: 10 pulls a coefficient to zero as ten rows would
 */
function fitRidge(
  { columns, targets, weights }: Omit<LinearRows, "lowerBound">,
  penalty: number,
): number[] {
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

/** Cholesky decomposition. `matrix` holds the lower half and is overwritten. */
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

const rounds = 4;

/**
 * A lower bound counts only while the fit is below it. Without bounds the model would learn only
 * from beaten players and underestimate players that never lose.
 */
function fitRidgeWithBounds(rows: LinearRows, penalty: number): number[] {
  const { columns, targets, lowerBound } = rows;
  let weights = rows.weights.map((weight, at) => (lowerBound[at] ? 0 : weight));
  let coefficients = fitRidge({ columns, targets, weights }, penalty);
  for (let round = 0; round < rounds && lowerBound.includes(true); round++) {
    const below = columns.map(
      (row, at) => lowerBound[at] === true && dotProduct(coefficients, row) < (targets[at] ?? 0),
    );
    weights = rows.weights.map((weight, at) => (lowerBound[at] && !below[at] ? 0 : weight));
    coefficients = fitRidge({ columns, targets, weights }, penalty);
  }
  return coefficients;
}

const deciles = 10;
const usual = [0.1, 0.9] as const;

function cardOf(
  model: EstimateModel,
  trainedAt: Date,
  { train, validation, test }: Readonly<Record<Split, readonly Example[]>>,
): ModelCard {
  const judged = exactOf(test).sort((a, b) => a.target - b.target);
  const pair = (row: Example) => [predictLogScore(model, row.features), row.target] as const;
  const metrics = (rows: readonly Example[]) => accuracyOf(rows.map(pair));
  const baseline = createLevelBaseline(
    exactOf(train).map(({ subject, target }) => ({ level: subject.level, target })),
  );
  return {
    trainedAt: trainedAt.toISOString(),
    rows: {
      train: train.length,
      validation: validation.length,
      test: test.length,
      lowerBounds: [...train, ...validation, ...test].filter(({ lowerBound }) => lowerBound).length,
    },
    metrics: metrics(judged),
    baseline: accuracyOf(judged.map(({ subject, target }) => [baseline(subject.level), target])),
    byScore: partsOf(judged, deciles).map((rows) => ({
      from: Math.exp(rows[0]?.target ?? 0),
      metrics: metrics(rows),
    })),
    usualRange: rangeOf(exactOf(validation).map(pair)),
  };
}

function rangeOf(pairs: readonly (readonly [number, number])[]): [number, number] {
  const ratios = pairs.map(([predicted, truth]) => truth - predicted).sort((a, b) => a - b);
  const at = (share: number) => Math.exp(ratios[Math.floor(share * (ratios.length - 1))] ?? 0);
  return [at(usual[0]), at(usual[1])];
}

function partsOf<Row>(rows: readonly Row[], parts: number): Row[][] {
  const size = Math.ceil(rows.length / parts);
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, part) =>
    rows.slice(part * size, (part + 1) * size),
  );
}
