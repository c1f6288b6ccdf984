import { accuracyOf } from "./accuracy";
import { type EstimateModel, logScoreAt } from "./estimate-model";
import { featureNames, featuresOf } from "./features";
import { cardOf, type ModelCard } from "./model-card";
import { columnsOf, fitRidgeWithBounds, type Scale, scaleOf } from "./ridge";
import { type Example, type Split, splitOf, type TrainingRow } from "./training-row";

const penalties = [1, 10, 100];

/**
 * Trains a model of ln(stat score): a ridge on logarithms and squares, which reaches beyond what it saw. Its penalty is chosen
 * on the validation's players; the card tells of the test's.
 * @param pause lets others have the processor; called between parts of some milliseconds
 * @returns null where there are too few players for any part
 */
export async function trainModel(
  rows: readonly TrainingRow[],
  { trainedAt, pause }: { readonly trainedAt: Date; readonly pause: () => Promise<void> },
): Promise<{ model: EstimateModel; card: ModelCard } | null> {
  const examples = rows.map((row): Example => ({ ...row, features: featuresOf(row.subject) }));
  const of = (split: Split) => examples.filter(({ playerId }) => splitOf(playerId) === split);
  const [train, validation, test] = [of("train"), of("validation"), of("test")];
  const exact = (some: readonly Example[]) => some.filter(({ lowerBound }) => !lowerBound);
  if ([train, validation, test].some((part) => exact(part).length === 0)) return null;

  const scale = scaleOf(train.map(({ features }) => features));
  const targets = exact(train).map(({ target }) => target);
  const range: [number, number] = [targets.reduce((a, b) => Math.min(a, b)), targets.reduce((a, b) => Math.max(a, b))];
  const bare = { features: [...featureNames], scale: { ...scale }, range };
  const candidates: (EstimateModel & { penalty: number })[] = [];
  for (const penalty of penalties) {
    await pause();
    candidates.push({
      ...bare,
      ...mutable(scale),
      penalty,
      coefficients: fitRidgeWithBounds(linearRows(train, scale), penalty),
    });
  }
  const errorOf = (model: EstimateModel) =>
    accuracyOf(exact(validation).map(({ features, target }) => [logScoreAt(model, features), target])).median;
  const { penalty, ...model } = candidates.reduce((a, b) => (errorOf(b) < errorOf(a) ? b : a));
  return { model, card: cardOf({ model, penalty, trainedAt, train, validation, test }) };
}

/** The stored form has lists that may be changed; ours may not. */
const mutable = ({ means, spreads, flagged }: Scale) => ({
  scale: { means: [...means], spreads: [...spreads], flagged: [...flagged] },
});

const linearRows = (rows: readonly Example[], scale: Scale) => ({
  columns: rows.map(({ features }) => columnsOf(features, scale)),
  targets: Float64Array.from(rows, ({ target }) => target),
  weights: Float64Array.from(rows, ({ weight }) => weight),
  lowerBound: rows.map(({ lowerBound }) => lowerBound),
});
