import { LRUCache } from "lru-cache";

/*
 * Counter-based randomness: a draw is a pure function of (seed, stream, entity, n). Each subsystem
 * has its own stream, so adding one never shifts another.
 */

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The finalizer of MurmurHash3: every input bit affects every output bit. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface Random {
  bits(entity: number, n?: number): number;
  /** In [0, 1). */
  unit(entity: number, n?: number): number;
  /** Integer, both ends inclusive. */
  between(entity: number, n: number, range: readonly [low: number, high: number]): number;
  normal(entity: number, n?: number): number;
}

export function createRandom(seed: number, stream: string): Random {
  const base = mix(seed ^ hashText(stream));
  const bits = (entity: number, n = 0) =>
    mix(mix(base ^ mix(entity + 0x9e3779b9)) ^ mix(n + 0x7f4a7c15));
  const unit = (entity: number, n = 0) => bits(entity, n) / 2 ** 32;
  return {
    bits,
    unit,
    between: (entity, n, [low, high]) => low + Math.floor(unit(entity, n) * (high - low + 1)),
    // Box–Muller; the offset separates both uniforms from the draws of small n.
    normal: (entity, n = 0) =>
      Math.sqrt(-2 * Math.log(1 - unit(entity, n))) *
      Math.cos(2 * Math.PI * unit(entity, n + 0x40000000)),
  };
}

/** A permutation of 0 … count−1. */
export function shuffled(draw: Random, count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = draw.bits(last) % (last + 1);
    const moved = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = moved;
  }
  return order;
}

/** Mean 0, variance 1. Interpolates between draws `period` apart, so no history is needed. */
export function noise(draw: Random, entity: number, at: { time: number; period: number }): number {
  const place = at.time / at.period;
  const left = Math.floor(place);
  const from = level(draw, entity, left);
  return from + (level(draw, entity, left + 1) - from) * (place - left);
}

/** Uniform with variance 1. A normal draw needs functions that machines round differently. */
const level = (draw: Random, entity: number, n: number) =>
  (draw.unit(entity, n) - 0.5) * Math.sqrt(12);

/** Keeps at most `most` values. Others are made again. */
export function createCache<Value extends NonNullable<unknown>>(most: number) {
  const known = new LRUCache<number, Value>({ max: most });
  return {
    through: (key: number, make: () => Value): Value => {
      const found = known.get(key) ?? make();
      known.set(key, found);
      return found;
    },
  };
}
