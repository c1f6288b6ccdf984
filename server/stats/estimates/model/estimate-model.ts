import { z } from "zod";
import { featureNames, featuresOf, type Subject } from "./features";
import { columnsOf, linear, standardised } from "./ridge";
import { answerOf, type Tree } from "./tree";

const Numbers = z.array(z.number());
const TreeRecord: z.ZodType<Tree> = z.lazy(() =>
  z.union([
    z.object({ value: z.number() }),
    z.object({ feature: z.int().min(0), below: z.number(), yes: TreeRecord, no: TreeRecord }),
  ]),
);

/** A trained model as it is stored: a ridge on logarithms and their squares, and trees on what the ridge leaves. */
export const EstimateModel = z.object({
  /** The features that it was trained on, in order: a model of other features is of no use. */
  features: z.array(z.string()),
  scale: z.object({ means: Numbers, spreads: Numbers, flagged: z.array(z.int()) }),
  coefficients: Numbers,
  trees: z.array(TreeRecord),
  /** How much of each tree's answer counts. */
  learningRate: z.number(),
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
  const ridge = linear(model.coefficients, columnsOf(row, model.scale));
  const z = standardised(row, model.scale);
  const rest = model.trees.reduce((sum, tree) => sum + model.learningRate * answerOf(tree, z), 0);
  const [lowest, highest] = model.range;
  return Math.min(highest + reach, Math.max(lowest - reach, ridge + rest));
}

/** The stat score that the model expects of a player. */
export const estimateScore = (model: EstimateModel, subject: Subject): number =>
  Math.exp(logScoreAt(model, featuresOf(subject)));
