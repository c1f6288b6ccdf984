import type { Draw } from "#simulator/draw";

const exactBelow = 30;

/**
 * A Poisson draw of a stream: exact for small means, and by the normal distribution where that is close.
 * @param place `entity` and `n` as of any draw; the two draws after `n` are used as well
 */
export function poisson(draw: Draw, place: { entity: number; n: number }, mean: number): number {
  if (mean <= 0) return 0;
  if (mean >= exactBelow)
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * draw.normal(place.entity, place.n + 1)));
  const roll = draw.unit(place.entity, place.n);
  let chance = Math.exp(-mean);
  let reached = chance;
  let count = 0;
  while (reached < roll && count < 200) {
    count += 1;
    chance *= mean / count;
    reached += chance;
  }
  return count;
}
