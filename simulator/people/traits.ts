import { dayMs, daySeconds, toUnixSeconds } from "#server/platform/time";
import { demoPeople } from "#simulator/demo-people";
import { createRandom } from "#simulator/draw";

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
  const draw = createRandom(world.seed, "players");
  const own = createRandom(world.seed, "traits");
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

/** Total stats grow with energy to this power. */
export const statExponent = 1.42;

/** Active days and counters are functions of (player, day); those of silent players stay. */
export function createProgress(world: { seed: number; epoch: Date }) {
  const draw = createRandom(world.seed, "counters");
  const jitter = createRandom(world.seed, "counter-days");
  const epochDay = world.epoch.getTime() / dayMs;
  /** Traits are of this day: the epoch, or a silent player's last visit. */
  const anchorOf = ({ silentDays }: Traits) => Math.floor(epochDay - (silentDays ?? 0));
  const reachedOn = (player: Traits, day: number) =>
    player.silentDays === null ? day : Math.min(day, anchorOf(player));

  /**
   * Active days up to the beginning of `day`, with a fraction.
   * @param day days since 1970, UTC
   * @param extra part of a day more, 0 … 1
   */
  const activeDays = (player: Traits, day: number, extra = 0): number =>
    player.activity *
    Math.max(0, player.ageDays + reachedOn(player, day) - anchorOf(player) + extra);

  /**
   * Drawn at the anchor, then proportional to the active days; monotonic.
   * @param requested `stream` separates counters of one player; `rate` is per active day
   */
  function counter(
    player: Traits,
    day: number,
    requested: { stream: number; rate: number },
  ): number {
    const atAnchor = player.activity * player.ageDays;
    const mean = requested.rate * atAnchor;
    const drawn = mean + Math.sqrt(mean) * draw.normal(player.index, 8 * requested.stream + 1);
    const place = reachedOn(player, day) * 64 + requested.stream;
    const extra = 0.95 * jitter.unit(player.index, place);
    return Math.floor((Math.max(0, drawn) * activeDays(player, day, extra)) / atAnchor);
  }

  return { activeDays, counter };
}
export type Progress = ReturnType<typeof createProgress>;
