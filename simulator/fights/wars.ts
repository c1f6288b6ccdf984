import { daySeconds, hourSeconds } from "#server/platform/time";
import { createDraw } from "#simulator/draw";
import type { World } from "#simulator/world";
import { createMemory } from "../memory";

const periodDays = 30;

/**
 * A ranked war between two faction indices. Times are Unix seconds; `end` is null until it is
 * stopped.
 */
export interface War {
  readonly id: number;
  readonly sides: readonly [number, number];
  readonly start: number;
  readonly end: number | null;
}

const isOn = (war: War, second: number) =>
  war.start <= second && (war.end === null || second < war.end);
export const isAgainst = (war: War, faction: number) => war.sides.includes(faction);

/**
 * Every faction has one war of two or three days in any thirty; control verbs start and stop more.
 */
export function createWars(parts: { seed: number; world: World }) {
  const draw = createDraw(parts.seed, "wars");
  const factions = parts.world.counts.factions;
  const started: War[] = [];

  /**
   * Opponents of a period: factions in a drawn order, paired. Demo factions do not meet each other.
   */
  const periods = createMemory<War[]>(6);
  function drawn(period: number): War[] {
    const order = Array.from({ length: factions }, (_, index) => index).sort(
      (one, other) => draw.unit(one, period) - draw.unit(other, period),
    );
    const wars: War[] = [];
    for (let place = 0; place + 1 < order.length; place += 2) {
      const [one = 0, other = 0] = order.slice(place, place + 2);
      if (one <= 1 && other <= 1) continue;
      const wait = Math.floor(draw.unit(one, 1_000_000 + period) * (periodDays - 3) * daySeconds);
      const start = period * periodDays * daySeconds + wait;
      const length = draw.between(one, 2_000_000 + period, [48, 72]) * hourSeconds;
      wars.push({ id: period * 1_000 + place, sides: [one, other], start, end: start + length });
    }
    return wars;
  }

  const periodOf = (second: number) => Math.floor(second / daySeconds / periodDays);

  /** Wars that overlap [from, to]. A drawn war begins and ends within its period. */
  function around(from: number, to: number): War[] {
    const first = periodOf(from);
    const periodsFrom = Array.from({ length: periodOf(to) - first + 1 }, (_, step) => first + step);
    return [
      ...started,
      ...periodsFrom.flatMap((period) => periods.through(period, () => drawn(period))),
    ];
  }

  return {
    ofFaction: (faction: number, from: number, to: number): War[] =>
      around(from, to).filter(
        (war) => isAgainst(war, faction) && war.start <= to && (war.end === null || war.end > from),
      ),
    between: (one: number, other: number, second: number): boolean =>
      around(second, second).some(
        (war) => isOn(war, second) && isAgainst(war, one) && isAgainst(war, other),
      ),
    start: (one: number, other: number, second: number): War => {
      const war = {
        id: 900_000_000 + started.length,
        sides: [one, other] as const,
        start: second,
        end: null,
      };
      started.push(war);
      return war;
    },
    /**
     * Ends a war that a verb started.
     * @returns false if there is no such war
     */
    stop: (one: number, other: number, second: number): boolean => {
      const place = started.findIndex(
        (war) => isOn(war, second) && isAgainst(war, one) && isAgainst(war, other),
      );
      const war = started[place];
      if (!war) return false;
      started[place] = { ...war, end: second };
      return true;
    },
  };
}
export type Wars = ReturnType<typeof createWars>;
