/** Results in which the attacker beat the defender; an unknown word is none. */
const winning = new Set(["Attacked", "Mugged", "Hospitalized", "Arrested", "Special", "Bounty"]);

/** Whether the attacker beat the defender. */
export const isWin = (result: string): boolean => winning.has(result);

/** Fighters that the game itself plays. */
export const npcIds: ReadonlySet<number> = new Set([4, 10, 15, 17, 19, 20, 21]);

/** The game prints no more, however strong the defender. */
export const mostFairFight = 3;

/** Fair fight grows by this for each multiple of the attacker's score that the defender has. */
const steepness = 8 / 3;

/** Fair fight is printed with two decimals: the true one lies within half of the last. */
const printError = 0.005;

/** Rounds as the game prints: two decimals. */
export const rounded = (value: number): number => Math.round((value + Number.EPSILON) * 100) / 100;

/**
 * The fair fight that a defender would give, neither capped nor rounded. Both are stat scores, that is sums of the four square
 * roots. @returns 1 for a defender without any strength; 3 and more where the game prints 3
 */
export const trueFairFight = (defender: number, attacker: number): number =>
  1 + (steepness * defender) / attacker;

/** The fair fight as the game prints it: from the attacker's side, 1 … 3, two decimals. Both are stat scores. */
export const fairFight = (defender: number, attacker: number): number =>
  rounded(Math.min(mostFairFight, trueFairFight(defender, attacker)));

/** The defender's score where the attacker's is known. At 3 it is a lower bound. @param printed 1 < printed ≤ 3 */
export const defenderScore = (printed: number, attacker: number): number =>
  ((printed - 1) / steepness) * attacker;

/** The attacker's score where the defender's is known. At 3 it is an upper bound. @param printed 1 < printed ≤ 3 */
export const attackerScore = (printed: number, defender: number): number =>
  defender / ((printed - 1) / steepness);

/** Relative error of a score that was derived from a printed fair fight: 10 % at 1.05, 0.3 % at 2.5. */
export const scoreError = (printed: number): number => printError / (printed - 1);

/** Respect of a plain hit by the level of who is hit: 1.00 at level 1, 1.50 at level 100; two decimals. */
export const baseRespect = (level: number): number => rounded((level + 197) / 198);

/** What a plain hit would bring: fair fight counts up to 3. Not rounded. */
export const hitRespect = (level: number, fair: number): number =>
  baseRespect(level) * Math.min(mostFairFight, fair);

/**
 * What the sum of a player's four battle stats can be, from their score: least where all four are equal, which no build goes
 * below; most as builds are in practice, which a very lopsided one exceeds.
 */
export const totalRange = (score: number): { readonly min: number; readonly max: number } => ({
  min: Math.floor(score ** 2 / 4),
  max: Math.floor(score ** 2 / 2.75),
});
