/** A fight before any faction's view of it. Fighters are player indices, times Unix seconds. */
export interface Clash {
  readonly started: number;
  readonly ended: number;
  readonly attacker: number;
  readonly defender: number;
  readonly result: Result;
  readonly stealthed: boolean;
  /** True if both were in the same place abroad. */
  readonly overseas: boolean;
  /** 32 random bits for all other printed values. */
  readonly mark: number;
  /** Order within the same second; defaults to the mark. */
  readonly order?: number;
  /** Printed values that a control verb overrides. */
  readonly requested?: {
    readonly respect?: number;
    readonly war?: boolean;
    readonly retaliation?: boolean;
  };
}

export const results = [
  "Attacked",
  "Mugged",
  "Hospitalized",
  "Arrested",
  "Special",
  "Bounty",
  "Lost",
  "Stalemate",
  "Assist",
  "Escape",
  "Timeout",
  "Interrupted",
] as const;
export type Result = (typeof results)[number];

const wins = new Set<Result>([
  "Attacked",
  "Mugged",
  "Hospitalized",
  "Arrested",
  "Special",
  "Bounty",
]);

export const isWon = (result: Result) => wins.has(result);

const wonShares: readonly (readonly [number, Result])[] = [
  [0.45, "Hospitalized"],
  [0.8, "Attacked"],
  [0.95, "Mugged"],
  [0.97, "Arrested"],
  [0.98, "Special"],
  [1, "Bounty"],
];
const lostShares: readonly (readonly [number, Result])[] = [
  [0.55, "Lost"],
  [0.7, "Escape"],
  [0.81, "Stalemate"],
  [0.88, "Assist"],
  [0.95, "Timeout"],
  [1, "Interrupted"],
];

export const chanceToWin = (attacker: number, defender: number) =>
  1 / (1 + Math.exp(-6 * (Math.log(attacker / defender) + 0.15)));

/** @param roll 0 … 1 */
export function kindOf(won: boolean, roll: number): Result {
  const shares = won ? wonShares : lostShares;
  return shares.find(([upTo]) => roll < upTo)?.[1] ?? (won ? "Attacked" : "Lost");
}

const order = (clash: Clash) => clash.order ?? clash.mark;

/** By time, then by each clash's own order. */
export const byTime = (one: Clash, other: Clash) =>
  one.ended - other.ended || order(one) - order(other);

/** A fight with all printed values. Factions are indices or null. */
export interface Attack {
  readonly clash: Clash;
  readonly id: number;
  readonly code: string;
  readonly attackerFaction: number | null;
  readonly defenderFaction: number | null;
  readonly modifiers: Modifiers;
  /** Place in the chain of the attacker's faction; 0 outside of a chain. */
  readonly chain: number;
  readonly rankedWar: boolean;
  readonly gain: number;
  readonly loss: number;
}

/** Hits that pay a flat bonus: ten respect for the first, doubled for each next one. */
const bonusHits = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000];

/** Multipliers of a hit's respect; 1 means not applied. */
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

/** Printed from the attacker's side: 1 … 3 with two decimals. Takes the two true scores. */
export const printedFairFight = (attacker: number, defender: number) =>
  hundredths(Math.min(3, Math.max(1, 1 + (8 / 3) * (defender / attacker))));

/** Respect for a hit on a player of this level, before the modifiers. */
export const baseRespect = (level: number) => hundredths(level / 198 + 197 / 198);

export const chainModifier = (count: number) =>
  count < 10 ? 1 : hundredths(1 + Math.min(2, 0.5 * Math.log10(count / 10)));

export const nextBonusHit = (count: number) =>
  bonusHits.find((hit) => hit > count) ?? bonusHits.at(-1) ?? count;

/** Respect of a full hit; `count` is its place in the attacker's chain. */
export function respectOf(level: number, modifiers: Modifiers, count: number): number {
  const bonus = bonusHits.indexOf(count);
  if (bonus >= 0) return 10 * 2 ** bonus;
  return hundredths(
    Object.values(modifiers).reduce((product, factor) => product * factor, baseRespect(level)),
  );
}
