/** One fight, before anybody looks at it: who met whom, when, and how it went. Fighters are player indices, times Unix seconds. */
export interface Clash {
  readonly started: number;
  readonly ended: number;
  readonly attacker: number;
  readonly defender: number;
  readonly result: Result;
  readonly stealthed: boolean;
  /** Both were in the same place abroad. */
  readonly overseas: boolean;
  /** 32 bits of its own, for all that is printed besides. */
  readonly mark: number;
  /** Place among what happened in the same second; the mark where it is left out. */
  readonly order?: number;
  /** What a control verb wants printed, whatever follows from the rules. */
  readonly requested?: { readonly respect?: number; readonly war?: boolean; readonly retaliation?: boolean };
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

const wins = new Set<Result>(["Attacked", "Mugged", "Hospitalized", "Arrested", "Special", "Bounty"]);

/** Whether the attacker won. */
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

/** How likely an attacker wins, from the two scores. */
export const chanceToWin = (attacker: number, defender: number) =>
  1 / (1 + Math.exp(-6 * (Math.log(attacker / defender) + 0.15)));

/** The kind of a win or of a loss. @param roll 0 … 1 */
export function kindOf(won: boolean, roll: number): Result {
  const shares = won ? wonShares : lostShares;
  return shares.find(([upTo]) => roll < upTo)?.[1] ?? (won ? "Attacked" : "Lost");
}

const order = (clash: Clash) => clash.order ?? clash.mark;

/** Orders by time, and within a second in an order of the clashes' own. */
export const byTime = (one: Clash, other: Clash) => one.ended - other.ended || order(one) - order(other);
