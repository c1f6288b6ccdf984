import { hitRespect, trueFairFight } from "../fair-fight";
import type { TargetSearch } from "./target-search";

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
