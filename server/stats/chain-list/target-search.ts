import { hitRespect, trueFairFight } from "../fair-fight";

/** A search in the words of the tables. */
export interface TargetSearch {
  readonly playerId: number;
  /** The caller's faction, whose members they do not attack. */
  readonly factionId: number | null;
  /** The faction whose own scores the caller sees besides the public ones: theirs, where it has any. */
  readonly ownGroup: number | null;
  readonly ownScore: number;
  readonly scores: ScoreRange;
  readonly level: { readonly min: number; readonly max: number };
  readonly order: ChainOrder;
  readonly limit: number;
  readonly factionless: boolean;
  /** Set where only inactive players are wanted. */
  readonly inactive: { readonly lastActionBy: Date; readonly refreshedSince: Date } | null;
  /** Entries from before are not shown. */
  readonly since: Date;
  readonly now: Date;
  /** 0 … 1: where a random list begins. */
  readonly start: number;
}

export interface Target {
  readonly playerId: number;
  readonly name: string;
  readonly level: number;
  readonly score: number;
  readonly timeAdded: Date;
  readonly lastAction: Date | null;
  readonly lastRefresh: Date | null;
  readonly faction: { readonly factionId: number; readonly name: string } | null;
}

export type ChainOrder = "random" | "recently-updated" | "highest-respect";

/** A caller's query for a list of targets. */
export interface ChainListQuery {
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
export function scoreRange(
  { min, max }: ChainListQuery["difficulty"],
  ownScore: number,
): ScoreRange {
  const lowest = Math.ceil(min * 100 - slack);
  const highest = Math.floor(max * 100 + slack);
  return {
    from: scoreForFairFight((lowest - 0.5) / 100, ownScore),
    below: scoreForFairFight((highest + 0.5) / 100, ownScore),
  };
}

/** The score that gives a fair fight, the inverse of `trueFairFight`. */
export const scoreForFairFight = (fair: number, ownScore: number): number =>
  ((fair - 1) / (trueFairFight(1, 1) - 1)) * ownScore;

type Levels = TargetSearch["level"];

/**
 * Of the levels wanted those at which the strongest score wanted brings at least so much respect. They are the highest, since a
 * level brings no less than the one below it. @returns null where none does
 */
export function levelsThatBring(
  { level, scores, ownScore }: Pick<TargetSearch, "level" | "scores" | "ownScore">,
  respect: number,
): Levels | null {
  const fair = trueFairFight(scores.below, ownScore);
  let min = level.min;
  while (min <= level.max && hitRespect(min, fair) < respect) min++;
  return min > level.max ? null : { min, max: level.max };
}
