import { dayMs } from "#server/platform/time";
import { createDraw, type Draw } from "#simulator/draw";
import { clamp, type Traits, type TraitsOf } from "./traits";

/**
 * The day that anchors a player's growth (the epoch, or the day of their last visit) and their pace
 * since.
 */
interface Anchor {
  readonly day: number;
  readonly pace: number;
}

/** Total stats grow with energy to this power. */
export const statExponent = 1.42;
/** Daily growth of active players; very young and very old players are clamped to it. */
const dailyGrowth = { least: 0.001, most: 0.005 };

/** Active days and counters are functions of (player, day). */
export function createProgress(world: { seed: number; epoch: Date; traits: TraitsOf }) {
  const draw = createDraw(world.seed, "counters");
  const jitter = createDraw(world.seed, "counter-days");
  const epochDay = world.epoch.getTime() / dayMs;

  const anchors: (Anchor | undefined)[] = [];

  function anchor(player: Traits): Anchor {
    const known = anchors[player.index];
    if (known) return known;
    const { least, most } = dailyGrowth;
    const pace = clamp(
      1,
      (least * player.ageDays) / statExponent,
      (most * player.ageDays) / statExponent,
    );
    const made = { day: Math.floor(epochDay - (player.silentDays ?? 0)), pace };
    anchors[player.index] = made;
    return made;
  }

  /**
   * Active days up to the beginning of `day`, with a fraction.
   * @param day days since 1970, UTC
   * @param extra part of a day more, 0 … 1
   */
  function activeDays(player: Traits, day: number, extra = 0): number {
    const from = anchor(player);
    const reached = player.silentDays === null ? day : Math.min(day, from.day);
    return player.activity * Math.max(0, player.ageDays + from.pace * (reached - from.day + extra));
  }

  /**
   * Poisson at the anchor, then proportional to the active days; monotonic.
   * @param requested `stream` separates counters of one player; `rate` is per active day
   */
  function counter(
    player: Traits,
    day: number,
    requested: { stream: number; rate: number },
  ): number {
    const from = anchor(player);
    const atAnchor = player.activity * player.ageDays;
    const counted = poisson(
      draw,
      { entity: player.index, n: 8 * requested.stream },
      requested.rate * atAnchor,
    );
    if (counted === 0) return 0;
    const reached = player.silentDays === null ? day : Math.min(day, from.day);
    const extra = 0.95 * jitter.unit(player.index, reached * 64 + requested.stream);
    return Math.floor((counted * activeDays(player, day, extra)) / atAnchor);
  }

  return { activeDays, counter, traits: world.traits };
}
export type Progress = ReturnType<typeof createProgress>;

const exactBelow = 30;

/**
 * Exact for small means, normal approximation for large ones.
 * @param place `entity` and `n`; the two draws after `n` are used as well
 */
function poisson(draw: Draw, place: { entity: number; n: number }, mean: number): number {
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
