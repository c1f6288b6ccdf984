import { type EstimateSubject, estimateScore } from "#server/stats/estimates/model/estimate-model";
import {
  type Accuracy,
  accuracyOf,
  createLevelBaseline,
  type ModelCard,
} from "#server/stats/estimates/model/model-card";
import { splitOf, trainModel } from "#server/stats/estimates/model/train-model";
import { type CollectedWorld, collectWorld, type WorldOptions } from "./collect-world";

/** How a model that was trained in a world does against what is true in it. */
export interface Judgement {
  readonly card: ModelCard;
  /** On players of the test and on those without fights: none of them was used in training. */
  readonly unseen: Accuracy;
  readonly neverFought: Accuracy;
  /** The strongest twentieth of the unseen. */
  readonly strongest: Accuracy;
  /** What the mean of a level band would reach on the unseen. */
  readonly baseline: Accuracy;
}

const shareOfStrongest = 0.05;

/**
 * Collects a simulated world through its API, trains as the product does, and compares with the world's oracle.
 * @throws where the world has too few fights for a model
 */
export async function judgeWorld(options: WorldOptions): Promise<Judgement> {
  const world = await collectWorld(options);
  const trained = await trainModel(world.rows, { trainedAt: new Date(0), pause: async () => {} });
  if (!trained) throw new Error("The world has too few fights.");
  const { model, card } = trained;
  const pair = ({ subject, score }: Truth) =>
    [Math.log(estimateScore(model, subject)), Math.log(score)] as const;
  const unseen = [...testOf(world), ...world.unknown].sort((a, b) => b.score - a.score);
  const taught = world.rows.filter(
    ({ playerId, lowerBound }) => !lowerBound && splitOf(playerId) === "train",
  );
  const baseline = createLevelBaseline(
    taught.map(({ subject, target }) => ({ level: subject.level, target })),
  );
  return {
    card,
    unseen: accuracyOf(unseen.map(pair)),
    neverFought: accuracyOf(world.unknown.map(pair)),
    strongest: accuracyOf(unseen.slice(0, Math.ceil(unseen.length * shareOfStrongest)).map(pair)),
    baseline: accuracyOf(
      unseen.map(({ subject, score }) => [baseline(subject.level), Math.log(score)]),
    ),
  };
}

interface Truth {
  readonly subject: EstimateSubject;
  readonly score: number;
}

const testOf = ({ rows, truth }: CollectedWorld): Truth[] =>
  rows
    .filter(({ playerId }) => splitOf(playerId) === "test")
    .map(({ playerId, subject }) => ({ subject, score: truth.get(playerId) ?? Number.NaN }));
