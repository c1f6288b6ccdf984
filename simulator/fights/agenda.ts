import { daySeconds, hourSeconds } from "#server/platform/time";
import { createDraw } from "#simulator/draw";
import { dayNumberOf, type People } from "#simulator/people/people";
import type { World } from "#simulator/world";

const energyPerAttack = 25;
/** Seconds; a session holds no more fights than fit one after the other. */
const secondsPerAttack = 12;
const mostAttacks = 60;

/** A player's intention to attack. Times are Unix seconds. */
export interface Intent {
  readonly attacker: number;
  readonly started: number;
  readonly ended: number;
}

/** Attack times in closed form: bursts within the sessions of active days. */
export function createAgenda(parts: { seed: number; epoch: Date; world: World; people: People }) {
  const { world, people } = parts;
  const draw = createDraw(parts.seed, "agenda");
  const lengths = createDraw(parts.seed, "lengths");
  const epochDay = dayNumberOf(parts.epoch);
  const perDay = new Map<number, number>();

  /** Attacks that an active day's energy pays for, as of the epoch. */
  function attacksPerDay(index: number): number {
    const known = perDay.get(index);
    if (known !== undefined) return known;
    const attacks = people.fightingEnergy(index, epochDay) / energyPerAttack;
    perDay.set(index, attacks);
    return attacks;
  }

  function spread(
    attacker: number,
    session: readonly [start: number, end: number],
    count: number,
  ): Intent[] {
    const [start, end] = session;
    const room = (end - start) / count;
    return Array.from({ length: count }, (_, place) => {
      const ended =
        start + Math.floor((place + 0.3 + 0.6 * draw.unit(attacker, start * 64 + place)) * room);
      const length = Math.min(
        Math.floor(room * 0.3),
        lengths.between(attacker, start * 64 + place, [8, 90]),
      );
      return { attacker, started: ended - Math.max(1, length), ended };
    });
  }

  /** A player's sessions of one day with as many attacks as fit, `wanted` in all. */
  function day(index: number, began: number, wanted: number): Intent[] {
    const sessions = world.sessionsOn(people.traits(index), began);
    const intents: Intent[] = [];
    for (const [place, session] of sessions.entries()) {
      const share = Math.floor((wanted + place) / sessions.length);
      const fits = Math.floor((session[1] - session[0]) / secondsPerAttack);
      const count = Math.min(share, fits);
      if (count > 0) intents.push(...spread(index, session, count));
    }
    return intents;
  }

  /**
   * Attacks of some players on a day, by the hour in which they end. `wanted` gives the number per
   * player.
   */
  function byHour(
    players: readonly number[],
    dayNumber: number,
    wanted: (index: number) => number,
  ): Intent[][] {
    const hours: Intent[][] = Array.from({ length: 24 }, () => []);
    const began = dayNumber * daySeconds;
    for (const index of players) {
      const traits = people.traits(index);
      if (traits.silentSince !== null || traits.fate !== "free") continue;
      const count = wanted(index);
      if (count <= 0) continue;
      for (const intent of day(index, began, Math.min(mostAttacks, count)))
        hours[Math.floor((intent.ended - began) / hourSeconds)]?.push(intent);
    }
    return hours;
  }

  return {
    byHour,
    inWar: (index: number, dayNumber: number): number =>
      Math.floor(14 * people.traits(index).activity * draw.unit(index, dayNumber * 8 + 2)),
    /** Attacks on a day of peace: none on most days of a rarely active player. */
    usual: (index: number, dayNumber: number): number => {
      if (draw.unit(index, dayNumber * 8) >= people.traits(index).activity) return 0;
      return Math.round(attacksPerDay(index) * (0.6 + 0.8 * draw.unit(index, dayNumber * 8 + 1)));
    },
  };
}
export type Agenda = ReturnType<typeof createAgenda>;
