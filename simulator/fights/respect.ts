/** Hits of a chain that pay a flat bonus: ten respect for the first of them, and each next one twice as much. */
const bonusHits = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];

/** What a hit is multiplied with. 1 is "not applied". */
export interface Modifiers {
  readonly fairFight: number;
  readonly war: number;
  readonly retaliation: number;
  readonly group: number;
  readonly overseas: number;
  readonly chain: number;
  readonly warlord: number;
}

const hundredths = (value: number) => Math.round(value * 100) / 100;

/** As the game prints it: from the attacker's side, between 1 and 3, with two decimals. Takes the two true scores. */
export const printedFairFight = (attacker: number, defender: number) =>
  hundredths(Math.min(3, Math.max(1, 1 + (8 / 3) * (defender / attacker))));

/** What a hit on somebody of a level pays before it is multiplied. */
export const baseRespect = (level: number) => hundredths(level / 198 + 197 / 198);

/** What the `count`-th hit of a chain is multiplied with. */
export const chainModifier = (count: number) =>
  count < 10 ? 1 : hundredths(1 + Math.min(2, 0.5 * Math.log10(count / 10)));

/** The number of hits at which the chain pays its next bonus. */
export const nextBonusHit = (count: number) => bonusHits.find((hit) => hit > count) ?? bonusHits.at(-1) ?? count;

/** Respect of a full hit; `count` is its place in the attacker's chain. */
export function respectOf(level: number, modifiers: Modifiers, count: number): number {
  const bonus = bonusHits.indexOf(count);
  if (bonus >= 0) return 10 * 2 ** bonus;
  return hundredths(Object.values(modifiers).reduce((product, factor) => product * factor, baseRespect(level)));
}
