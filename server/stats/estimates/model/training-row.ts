import type { EstimateSubject } from "./estimate-model";

/** The score of one player as fights tell it, with the public facts about them. */
export interface TrainingRow {
  readonly playerId: number;
  readonly subject: EstimateSubject;
  /** Natural logarithm of the stat score; where `lowerBound`, the score is at least this. */
  readonly target: number;
  readonly weight: number;
  readonly lowerBound: boolean;
  /** Days since the newest of the fights. */
  readonly ageDays: number;
}

/** A row with its features. */
export interface Example extends TrainingRow {
  readonly features: Float64Array;
}

/** One score that a fight told. */
export interface Label {
  readonly score: number;
  /** Relative error that the rounding of the printed fair fight makes. */
  readonly sigma: number;
  readonly lowerBound: boolean;
  readonly ageDays: number;
}

/** Even an exact fight was seen with a score some hours old. */
const leastSigma = 0.02;
/** Players go on training: after so many days a fight says half as much. */
const halfLifeDays = 90;

const weightOf = ({ sigma, ageDays }: Label) =>
  0.5 ** (ageDays / halfLifeDays) / (sigma ** 2 + leastSigma ** 2);

/**
 * Makes one row of all fights of a player: the weighted mean of what they told; a bound counts only where nothing else is known.
 * Weights are in units of one exact fight today. @returns null where there is no label
 */
export function rowOf(
  playerId: number,
  subject: EstimateSubject,
  labels: readonly Label[],
): TrainingRow | null {
  if (labels.length === 0) return null;
  const exact = labels.filter(({ lowerBound }) => !lowerBound);
  const ageDays = Math.min(...labels.map((label) => label.ageDays));
  if (exact.length === 0) {
    const target = Math.log(Math.max(...labels.map(({ score }) => score)));
    return {
      playerId,
      subject,
      target,
      weight: 0.5 ** (ageDays / halfLifeDays),
      lowerBound: true,
      ageDays,
    };
  }
  const weights = exact.map(weightOf);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const target =
    exact.reduce((total, { score }, at) => total + (weights[at] ?? 0) * Math.log(score), 0) / sum;
  // Many fights of one player say little more than a few: what is not known of them stays unknown.
  return {
    playerId,
    subject,
    target,
    weight: Math.min(1, sum * leastSigma ** 2),
    lowerBound: false,
    ageDays,
  };
}

/** The use of a player's rows. All rows of a player go the same way, or the test would know its answers. */
export type Split = "train" | "validation" | "test";

/** 70, 15 and 15 of a hundred players, by a hash of the id alone: the same in every training. */
export function splitOf(playerId: number): Split {
  let hash = Math.imul(playerId ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  const share = ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  return share < 0.7 ? "train" : share < 0.85 ? "validation" : "test";
}
