/** Seeded, so that a failing run can be repeated. */
export interface Dice {
  /** From 0, below `sides`. */
  roll(sides: number): number;
  happens(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Marsaglia's xorshift with three shifts. */
export function dice(seed: number): Dice {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  const roll = (sides: number) => Math.floor(next() * sides);
  return {
    roll,
    happens: (probability) => next() < probability,
    pick: (from) => {
      const picked = from[roll(from.length)];
      if (picked === undefined && from.length === 0)
        throw new Error("There is nothing to pick from.");
      return picked as (typeof from)[number];
    },
  };
}
