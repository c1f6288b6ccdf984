import { trueFairFight } from "../fair-fight";

export type ChainOrder = "random" | "recently-updated" | "highest-respect";

/** What a caller wants of a list of targets. */
export interface ChainWish {
  /** Of the fair fight as it is shown, with two decimals; both ends count. */
  readonly difficulty: { readonly min: number; readonly max: number };
  readonly level: { readonly min: number; readonly max: number };
  readonly order: ChainOrder;
  readonly limit: number;
  readonly factionless: boolean;
  readonly inactive: boolean;
}

/** Scores from `from` on, below `below`. */
export interface ScoreRange {
  readonly from: number;
  readonly below: number;
}

/** What floating point may add to a number of hundredths. */
const slack = 1e-7;

/** The scores whose fair fight, rounded to two decimals, lies within the bounds. */
export function scoreRange({ min, max }: ChainWish["difficulty"], ownScore: number): ScoreRange {
  const lowest = Math.ceil(min * 100 - slack);
  const highest = Math.floor(max * 100 + slack);
  return { from: scoreAt((lowest - 0.5) / 100, ownScore), below: scoreAt((highest + 0.5) / 100, ownScore) };
}

/** The score that gives a fair fight, the inverse of `trueFairFight`. */
export const scoreAt = (fair: number, ownScore: number): number => ((fair - 1) / (trueFairFight(1, 1) - 1)) * ownScore;
