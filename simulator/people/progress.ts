import { dayMs } from "#server/platform/time";
import { createDraw, type Draw } from "#simulator/draw";
import type { Traits, TraitsOf } from "./traits";

/** The day that a player's growth is anchored to, the epoch or the day on which they fell silent, and their pace since. */
interface Anchor {
  readonly day: number;
  readonly pace: number;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Total stats go with energy to this power: what is left of a day's growth follows from it. */
export const statExponent = 1.42;
/** Battle stats of active players grow by between these a day. Very young and very old players are slowed down and sped up to it. */
const dailyGrowth = { least: 0.001, most: 0.005 };

/** How far players are: the active days behind them, and what they counted on those. A function of player and day alone. */
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
   * @param extra a part of a day more, 0 … 1
   */
  function activeDays(player: Traits, day: number, extra = 0): number {
    const from = anchor(player);
    const reached = player.silentDays === null ? day : Math.min(day, from.day);
    return player.activity * Math.max(0, player.ageDays + from.pace * (reached - from.day + extra));
  }

  /**
   * A lifetime counter: Poisson at the anchor, and from there it goes with the active days, some days more and some less. Never less
   * than the day before.
   * @param requested `stream` tells counters of one player apart; `rate` is per active day
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
 * A Poisson draw of a stream: exact for small means, and by the normal distribution where that is close.
 * @param place `entity` and `n` as of any draw; the two draws after `n` are used as well
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
