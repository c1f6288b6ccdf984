import type { Draw } from "./draw";

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
const level = (draw: Draw, entity: number, n: number) => (draw.unit(entity, n) - 0.5) * Math.sqrt(12);
