import { hitRespect, uncappedFairFight } from "../fair-fight";

export type ChainOrder = "random" | "recently-updated" | "highest-respect";

export interface ChainListQuery {
  /** Bounds of the displayed fair fight (two decimals), inclusive. */
  readonly difficulty: { readonly min: number; readonly max: number };
  readonly level: { readonly min: number; readonly max: number };
  readonly order: ChainOrder;
  readonly limit: number;
  readonly factionless: boolean;
  readonly inactive: boolean;
}

export interface TargetSearch extends Omit<ChainListQuery, "difficulty" | "inactive"> {
  readonly playerId: number;
  /**
   * The caller's faction, which adds its own scores to the public ones. Its members are no targets.
   */
  readonly factionId: number | null;
  readonly ownScore: number;
  readonly scores: ScoreRange;
  readonly inactive: { readonly lastActionBy: Date; readonly refreshedSince: Date } | null;
  readonly since: Date;
  readonly now: Date;
  readonly start: number;
}

interface ScoreRange {
  readonly from: number;
  readonly below: number;
}

/** Tolerance for floating-point errors, in hundredths of fair fight. */
const slack = 1e-7;

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

/** Inverse of `uncappedFairFight`. */
export const scoreForFairFight = (fair: number, ownScore: number): number =>
  ((fair - 1) / (uncappedFairFight(1, 1) - 1)) * ownScore;

type Levels = TargetSearch["level"];

/**
 * Respect never falls with the level, so the result is the top of the range.
 * @returns null if no level reaches the respect
 */
export function levelsThatBring(
  { level, scores, ownScore }: Pick<TargetSearch, "level" | "scores" | "ownScore">,
  respect: number,
): Levels | null {
  const fair = uncappedFairFight(scores.below, ownScore);
  let min = level.min;
  while (min <= level.max && hitRespect(min, fair) < respect) min++;
  return min > level.max ? null : { min, max: level.max };
}
