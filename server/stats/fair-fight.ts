/** Results in which the attacker won. An unknown result is not a win. */
const winning = new Set(["Attacked", "Mugged", "Hospitalized", "Arrested", "Special", "Bounty"]);

export const isWin = (result: string): boolean => winning.has(result);

export const npcIds: ReadonlySet<number> = new Set([4, 10, 15, 17, 19, 20, 21]);

export const mostFairFight = 3;

/** Growth of fair fight when the defender's score grows by the attacker's score. */
const steepness = 8 / 3;

const printError = 0.005;

export const roundToHundredths = (value: number): number =>
  Math.round((value + Number.EPSILON) * 100) / 100;

/**
 * Scores are sums of the square roots of the four stats. The result is not rounded, and exceeds 3
 * where the game prints 3.
 */
export const uncappedFairFight = (defender: number, attacker: number): number =>
  1 + (steepness * defender) / attacker;

/** The value that the game prints for the attacker: 1 … 3, two decimals. */
export const fairFight = (defender: number, attacker: number): number =>
  roundToHundredths(Math.min(mostFairFight, uncappedFairFight(defender, attacker)));

/** If `printed` is 3, the result is a lower bound. @param printed 1 < printed ≤ 3 */
export const defenderScore = (printed: number, attacker: number): number =>
  ((printed - 1) / steepness) * attacker;

/** If `printed` is 3, the result is an upper bound. @param printed 1 < printed ≤ 3 */
export const attackerScore = (printed: number, defender: number): number =>
  defender / ((printed - 1) / steepness);

/** Relative error of a derived score: 10 % for a fair fight of 1.05, 0.3 % for 2.5. */
export const scoreError = (printed: number): number => printError / (printed - 1);

/** 1.00 at level 1, 1.50 at level 100; two decimals. */
export const baseRespect = (level: number): number => roundToHundredths((level + 197) / 198);

/** Respect of a plain hit, not rounded. */
export const hitRespect = (level: number, fair: number): number =>
  baseRespect(level) * Math.min(mostFairFight, fair);

/** Range of the sum of the four stats; very lopsided builds exceed the maximum. */
export const statTotalRange = (score: number): { readonly min: number; readonly max: number } => ({
  min: Math.floor(score ** 2 / 4),
  max: Math.floor(score ** 2 / 2.75),
});
