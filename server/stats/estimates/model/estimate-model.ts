import { z } from "zod";
import { featureNames, featuresOf, type Subject } from "./features";
import { columnsOf, linear } from "./ridge";

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
  return Math.min(highest + reach, Math.max(lowest - reach, linear(model.coefficients, columnsOf(row, model.scale))));
}

/** The stat score that the model expects of a player. */
export const estimateScore = (model: EstimateModel, subject: Subject): number =>
  Math.exp(logScoreAt(model, featuresOf(subject)));
