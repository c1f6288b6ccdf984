import { z } from "zod";

/** Contains public data only, and no player id. */
export interface EstimateSubject {
  readonly level: number | null;
  readonly ageDays: number | null;
  /** Lifetime counters, keyed by our flat names; null or absent if unknown. */
  readonly counters: Readonly<Record<string, number | null>>;
}

/** Counters span orders of magnitude, and stats grow with their logarithm. */
const logged = [
  "xanax",
  "energyRefills",
  "energyDrinks",
  "statEnhancers",
  "bestDamage",
  "donatorDays",
  "networth",
  "attacksWon",
  "attacksLost",
  "defendsWon",
  "timeActive",
  "bestStreak",
  "boosters",
  "overdoses",
  "awards",
  "jobTrains",
  "warHits",
  "respect",
] as const;

/** Energy per item. Energy buys stats, so the sum says more than its parts. */
const energyOf = { xanax: 250, energyRefills: 150, energyDrinks: 20 } as const;

export const featureNames: readonly string[] = [...logged, "energyTaken", "age", "level", "elo"];

const logOf = (value: number | null | undefined): number =>
  value === null || value === undefined ? Number.NaN : Math.log1p(Math.max(0, value));

/** Values are in the order of `featureNames`; an unknown value is NaN, never zero. */
export function featuresOf({ level, ageDays, counters }: EstimateSubject): Float64Array {
  const energy = Object.entries(energyOf).reduce(
    (sum, [name, each]) => sum + each * (counters[name] ?? Number.NaN),
    0,
  );
  return Float64Array.from([
    ...logged.map((name) => logOf(counters[name])),
    Number.isNaN(energy) ? Number.NaN : logOf(energy),
    logOf(ageDays),
    level ?? Number.NaN,
    (counters.elo ?? Number.NaN) / 1_000,
  ]);
}

const Numbers = z.array(z.number());
export const EstimateModel = z.object({
  /** Feature names in training order; a model with other features is unusable. */
  features: z.array(z.string()),
  /** `flagged` features were missing in some training rows, so each has an indicator column. */
  scale: z.object({ means: Numbers, spreads: Numbers, flagged: z.array(z.int()) }),
  coefficients: Numbers,
  /** Natural logarithms of the lowest and highest training score. */
  range: z.tuple([z.number(), z.number()]),
});
export type EstimateModel = z.output<typeof EstimateModel>;

type Scale = EstimateModel["scale"];

/** Standard deviations from the mean. Without this clamp the squares would explode. */
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
export function designRowOf(row: Float64Array, scale: Scale): Float64Array {
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

export const dotProduct = (coefficients: readonly number[], row: Float64Array): number =>
  coefficients.reduce((sum, coefficient, place) => sum + coefficient * (row[place] ?? 0), 0);

/** How far an answer may exceed the training range, as a natural logarithm. */
const reach = 1;

export function readModel(stored: unknown): EstimateModel | undefined {
  const { success, data } = EstimateModel.safeParse(stored);
  const fits =
    success &&
    data.features.length === featureNames.length &&
    featureNames.every((name, at) => name === data.features[at]);
  return fits ? data : undefined;
}

export function predictLogScore(model: EstimateModel, row: Float64Array): number {
  const [lowest, highest] = model.range;
  return Math.min(
    highest + reach,
    Math.max(lowest - reach, dotProduct(model.coefficients, designRowOf(row, model.scale))),
  );
}

export const estimateScore = (model: EstimateModel, subject: EstimateSubject): number =>
  Math.exp(predictLogScore(model, featuresOf(subject)));
