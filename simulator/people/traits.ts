import { dayMs, daySeconds, toUnixSeconds } from "#server/platform/time";
import { demoPeople } from "#simulator/demo-people";
import { createDraw, type Draw } from "#simulator/draw";

/** Hidden constants of a player; all visible values follow from them and the day. */
export interface Traits {
  readonly index: number;
  readonly demo: boolean;
  /** At the epoch. */
  readonly ageDays: number;
  /** Share of active days, 0 … 1. */
  readonly activity: number;
  /** Standard normal: spending on drugs, refills and cans. */
  readonly dedication: number;
  /** Share of the energy for training; the rest is for attacks. */
  readonly gymShare: number;
  /** Part of the battle stats that no counter reveals: standard normal, in units of the noise. */
  readonly luck: number;
  /** Attacks won per active day. */
  readonly winRate: number;
  /** Days since the last visit, at the epoch; null for an active player. */
  readonly silentDays: number | null;
  readonly silentSince: Date | null;
  readonly fate: "free" | "federal" | "fallen";
}

export const logistic = (value: number) => 1 / (1 + Math.exp(-value));
export const clamp = (value: number, low: number, high: number) =>
  Math.min(high, Math.max(low, value));

/** Distinct, and none is extreme. */
const demoDedication = [0.8, 0.4, 0.1, 0.5, -0.3];

export function createTraits(world: { seed: number; epoch: Date; count: number }) {
  const epochSeconds = toUnixSeconds(world.epoch);
  const draw = createDraw(world.seed, "players");
  const own = createDraw(world.seed, "traits");
  const known: (Traits | undefined)[] = new Array(world.count);

  function compute(index: number): Traits {
    const demo = demoPeople[index] !== undefined;
    const ageDays = demo ? 900 + 150 * index : 20 * 300 ** draw.unit(index, 2);
    const silent = !demo && draw.unit(index, 6) < 0.2;
    const silentDays = silent ? Math.min(ageDays, draw.between(index, 7, [31, 400])) : null;
    const fate = demo ? 1 : draw.unit(index, 8);
    return {
      index,
      demo,
      ageDays,
      activity: demo ? 0.8 : logistic(-0.8 + 1.3 * draw.normal(index, 3)),
      dedication: demo ? (demoDedication[index] ?? 0) : own.normal(index, 0),
      gymShare: demo ? 0.65 : 0.35 + 0.6 * own.unit(index, 1),
      luck: demo ? 0 : own.normal(index, 2),
      winRate: 2 * Math.exp(0.5 * draw.normal(index, 4)),
      silentDays,
      silentSince:
        silentDays === null
          ? null
          : new Date((epochSeconds - Math.floor(silentDays * daySeconds)) * 1000),
      fate: fate < 0.003 ? "federal" : fate < 0.004 ? "fallen" : "free",
    };
  }

  return function traits(index: number): Traits {
    const found = known[index] ?? compute(index);
    known[index] = found;
    return found;
  };
}
export type TraitsOf = ReturnType<typeof createTraits>;

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
export function createProgress(world: { seed: number; epoch: Date }) {
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

  return { activeDays, counter };
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
