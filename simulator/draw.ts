/*
 * Counter-based randomness: a draw is a pure function of (seed, stream, entity, n). Every subsystem has a stream of its own, so that
 * adding one never shifts another, and nothing has to be generated in order or kept.
 */

/** 32-bit FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The finalizer of MurmurHash3: every input bit moves every output bit. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export interface Draw {
  /** 0 … 2^32−1 */
  bits(entity: number, n?: number): number;
  /** At least 0, below 1. */
  unit(entity: number, n?: number): number;
  /** An integer, both ends included. */
  between(entity: number, n: number, range: readonly [low: number, high: number]): number;
  /** Standard normal. */
  normal(entity: number, n?: number): number;
}

/** The draws of one stream. Equal seeds and streams give equal draws, on every machine. */
export function createDraw(seed: number, stream: string): Draw {
  const base = mix(seed ^ hashText(stream));
  const bits = (entity: number, n = 0) =>
    mix(mix(base ^ mix(entity + 0x9e3779b9)) ^ mix(n + 0x7f4a7c15));
  const unit = (entity: number, n = 0) => bits(entity, n) / 2 ** 32;
  return {
    bits,
    unit,
    between: (entity, n, [low, high]) => low + Math.floor(unit(entity, n) * (high - low + 1)),
    // Box and Muller; the offset keeps both uniforms apart from the draws of small n.
    normal: (entity, n = 0) =>
      Math.sqrt(-2 * Math.log(1 - unit(entity, n))) *
      Math.cos(2 * Math.PI * unit(entity, n + 0x40000000)),
  };
}

/** 0 … count−1 in an order that the draw decides. */
export function shuffled(draw: Draw, count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let last = count - 1; last > 0; last--) {
    const other = draw.bits(last) % (last + 1);
    const moved = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = moved;
  }
  return order;
}

/**
 * A curve through draws that lie `period` apart, at a point of time. It has mean 0; at the draws its variance is 1, and
 * two draws say all: any moment of the past is found without what came before it.
 */
export function noise(draw: Draw, entity: number, at: { time: number; period: number }): number {
  const place = at.time / at.period;
  const left = Math.floor(place);
  const from = level(draw, entity, left);
  return from + (level(draw, entity, left + 1) - from) * (place - left);
}

/** A uniform draw of variance 1: unlike a normal one it needs no function that machines round differently. */
const level = (draw: Draw, entity: number, n: number) =>
  (draw.unit(entity, n) - 0.5) * Math.sqrt(12);
