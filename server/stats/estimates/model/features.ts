/** What the model may know of a player: public counters, level and age. No id, and nothing that a player keeps to themselves. */
export interface Subject {
  readonly level: number | null;
  /** Days since the player came to the game. */
  readonly ageDays: number | null;
  /** Lifetime counters by our flat names; null or absent where they are not known. */
  readonly counters: Readonly<Record<string, number | null>>;
}

/** Counters grow over orders of magnitude, and stats grow with their logarithm. */
const logged = [
  "xanax",
  "energyRefills",
  "energyDrinks",
  "statEnhancers",
  "bestDamage",
  "donatorDays",
  "networth",
  "attacksWon",
  "attacksLost",
  "defendsWon",
  "timeActive",
  "bestStreak",
  "boosters",
  "overdoses",
  "awards",
  "jobTrains",
  "warHits",
  "respect",
] as const;

/** Energy that one of each gives. Stats are bought with energy, so that the sum says more than its parts. */
const energyOf = { xanax: 250, energyRefills: 150, energyDrinks: 20 } as const;

export const featureNames: readonly string[] = [...logged, "energyTaken", "age", "level", "elo"];

const logOf = (value: number | null | undefined): number =>
  value === null || value === undefined ? Number.NaN : Math.log1p(Math.max(0, value));

/** The player as numbers, in the order of `featureNames`; NaN where something is not known. Never a zero in its place. */
export function featuresOf({ level, ageDays, counters }: Subject): Float64Array {
  const energy = Object.entries(energyOf).reduce((sum, [name, each]) => sum + each * (counters[name] ?? Number.NaN), 0);
  return Float64Array.from([
    ...logged.map((name) => logOf(counters[name])),
    Number.isNaN(energy) ? Number.NaN : logOf(energy),
    logOf(ageDays),
    level ?? Number.NaN,
    (counters.elo ?? Number.NaN) / 1_000,
  ]);
}
