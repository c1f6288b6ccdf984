import type { EstimateSubject } from "./estimate-model";

export interface TrainingRow {
  readonly playerId: number;
  readonly subject: EstimateSubject;
  /** Natural logarithm of the score; a lower bound if `lowerBound`. */
  readonly target: number;
  readonly weight: number;
  readonly lowerBound: boolean;
  readonly ageDays: number;
}

export interface Example extends TrainingRow {
  readonly features: Float64Array;
}

export interface Label {
  readonly score: number;
  readonly sigma: number;
  readonly lowerBound: boolean;
  readonly ageDays: number;
}

/** Even an exact fight used a score some hours old. */
const leastSigma = 0.02;
/** Players keep training, so the weight of a fight halves after this many days. */
const halfLifeDays = 90;

const weightOf = ({ sigma, ageDays }: Label) =>
  0.5 ** (ageDays / halfLifeDays) / (sigma ** 2 + leastSigma ** 2);

/**
 * Weighted mean of a player's fights; bounds count only without exact scores. A weight of 1 is one
 * exact fight today. @returns null without labels
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
  // Capped: the fights of one player share the same unknowns.
  return {
    playerId,
    subject,
    target,
    weight: Math.min(1, sum * leastSigma ** 2),
    lowerBound: false,
    ageDays,
  };
}

/** All rows of a player are in one split, to prevent leakage. */
export type Split = "train" | "validation" | "test";

/** 70 %, 15 % and 15 % by a hash of the id: the same in every training. */
export function splitOf(playerId: number): Split {
  let hash = Math.imul(playerId ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  const share = ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  return share < 0.7 ? "train" : share < 0.85 ? "validation" : "test";
}
