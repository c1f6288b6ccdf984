import { z } from "zod";
import { columnsOf, linear } from "./ridge";

/** The model's view of a player: public counters, level and age. No id, and nothing that a player keeps to themselves. */
export interface EstimateSubject {
  readonly level: number | null;
  /** Days since the player came to the game. */
  readonly ageDays: number | null;
  /** Lifetime counters by our flat names; null or absent where they are not known. */
  readonly counters: Readonly<Record<string, number | null>>;
}

/** Counters grow over orders of magnitude, and stats grow with their logarithm. */
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

/** Energy that one of each gives. Stats are bought with energy, so that the sum says more than its parts. */
const energyOf = { xanax: 250, energyRefills: 150, energyDrinks: 20 } as const;

export const featureNames: readonly string[] = [...logged, "energyTaken", "age", "level", "elo"];

const logOf = (value: number | null | undefined): number =>
  value === null || value === undefined ? Number.NaN : Math.log1p(Math.max(0, value));

/** The player as numbers, in the order of `featureNames`; NaN where something is not known. Never a zero in its place. */
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
/** A trained model as it is stored: a ridge on logarithms and their squares. */
export const EstimateModel = z.object({
  /** The features that it was trained on, in order: a model of other features is of no use. */
  features: z.array(z.string()),
  scale: z.object({ means: Numbers, spreads: Numbers, flagged: z.array(z.int()) }),
  coefficients: Numbers,
  /** Natural logarithms of the lowest and highest score that was learned from. */
  range: z.tuple([z.number(), z.number()]),
});
export type EstimateModel = z.output<typeof EstimateModel>;

/** How far beyond the scores that were learned from an answer may go, as a natural logarithm. */
const reach = 1;

/** The model as it was stored; undefined where this code cannot use it, because it knows other features. */
export function readModel(stored: unknown): EstimateModel | undefined {
  const { success, data } = EstimateModel.safeParse(stored);
  const fits =
    success &&
    data.features.length === featureNames.length &&
    featureNames.every((name, at) => name === data.features[at]);
  return fits ? data : undefined;
}

/** The natural logarithm of the stat score that the model expects at this row of raw features. */
export function logScoreAt(model: EstimateModel, row: Float64Array): number {
  const [lowest, highest] = model.range;
  return Math.min(
    highest + reach,
    Math.max(lowest - reach, linear(model.coefficients, columnsOf(row, model.scale))),
  );
}

/** The stat score that the model expects of a player. */
export const estimateScore = (model: EstimateModel, subject: EstimateSubject): number =>
  Math.exp(logScoreAt(model, featuresOf(subject)));
