import { hourSeconds } from "#server/platform/time";
import type { World } from "#simulator/world";
import { createMemory } from "../memory";
import type { Agenda, Intent } from "./agenda";
import type { Clash } from "./fight-rules";
import type { Pairing, Roster } from "./pairing";
import type { War, Wars } from "./wars";

const hoursPerDay = 24;
/** Eight days of one faction several times over: some ten megabytes. */
const rememberedHours = 1_500;
const rememberedDays = 120;

interface Parts {
  world: World;
  roster: Roster;
  agenda: Agenda;
  pairing: Pairing;
  wars: Wars;
}

/** Fights by hour: those of bouts, of wars and of control verbs. */
export function createClashes(parts: Parts) {
  const { world, roster, agenda, pairing, wars } = parts;
  const plans = createMemory<Intent[][]>(rememberedDays);
  const hours = createMemory<Clash[]>(rememberedHours);
  const made: Clash[] = [];

  const present = (clash: Clash | null): clash is Clash => clash !== null;

  /** Includes the retaliations that followed at once. */
  function ofBout(bout: number, hour: number): Clash[] {
    return hours.through(hour * 1_000 + bout, () => {
      const day = Math.floor(hour / hoursPerDay);
      const players = roster.inBout(bout, day);
      const plan = plans.through(day * 1_000 + bout, () =>
        agenda.byHour(players, day, (index) => agenda.usual(index, day)),
      );
      const hits = (plan[hour % hoursPerDay] ?? [])
        .map((intent) => pairing.meet("hit", intent, players))
        .filter(present);
      const answers = hits.map((hit) => {
        const faction = world.drawnFaction(hit.defender);
        return faction === null
          ? null
          : pairing.retaliate(hit, world.firstMembers(world.factionAt(faction)));
      });
      return [...hits, ...answers.filter(present)];
    });
  }

  const enemies = createMemory<readonly number[]>(100);
  /** Members by score, weakest first. */
  function lineUp(faction: number, day: number): readonly number[] {
    return enemies.through(day * 1_000 + faction, () =>
      [...world.firstMembers(world.factionAt(faction))].sort(
        (one, other) => roster.scoreOn(one, day) - roster.scoreOn(other, day),
      ),
    );
  }

  function ofWar(war: War, hour: number): Clash[] {
    const day = Math.floor(hour / hoursPerDay);
    const all = hours.through(-(war.id * 1_000_000 + hour), () => {
      const plan = plans.through(-(war.id * 100_000 + day), () =>
        agenda.byHour([...lineUp(war.sides[0], day), ...lineUp(war.sides[1], day)], day, (index) =>
          agenda.inWar(index, day),
        ),
      );
      return (plan[hour % hoursPerDay] ?? [])
        .map((intent) => {
          const [one, other] = war.sides;
          return pairing.meet(
            "war",
            intent,
            lineUp(world.drawnFaction(intent.attacker) === one ? other : one, day),
          );
        })
        .filter(present);
    });
    const sides: readonly (number | null)[] = war.sides;
    return all.filter(
      ({ attacker, defender, started, ended }) =>
        started >= war.start &&
        (war.end === null || ended < war.end) &&
        sides.includes(world.factionIndexAt(attacker, ended * 1000)) &&
        sides.includes(world.factionIndexAt(defender, ended * 1000)),
    );
  }

  /** A player jailed, banned or sent away by a control verb cannot attack meanwhile. */
  const able = ({ attacker, started }: Clash) => world.setStateAt(attacker, started) === null;

  function endingIn(
    hour: number,
    bouts: (day: number) => Iterable<number>,
    factions: readonly number[],
  ): Clash[] {
    const found: Clash[] = [];
    for (const begun of [hour - 1, hour]) {
      for (const bout of new Set(bouts(Math.floor(begun / hoursPerDay))))
        found.push(...ofBout(bout, begun));
      const fought = new Set(
        factions.flatMap((faction) =>
          wars.ofFaction(faction, begun * hourSeconds, (begun + 1) * hourSeconds),
        ),
      );
      for (const war of fought) found.push(...ofWar(war, begun));
    }
    const within = ({ ended }: Clash) => Math.floor(ended / hourSeconds) === hour;
    return [...found.filter((clash) => within(clash) && able(clash)), ...made.filter(within)];
  }

  return {
    /** Unordered; the hour counts from 1970, and the result may contain other factions' fights. */
    aroundFaction: (faction: number, hour: number): Clash[] => {
      const touched = [...world.movedPlayers()].filter(
        (index) =>
          world.drawnFaction(index) === faction ||
          [hour, hour + 1].some(
            (edge) => world.factionIndexAt(index, edge * hourSeconds * 1000) === faction,
          ),
      );
      const bouts = (day: number) => [
        roster.boutOfFaction(faction, day),
        ...touched.map((index) => roster.boutOf(index, day)),
      ];
      return endingIn(hour, bouts, [faction]);
    },
    aroundPlayer: (index: number, hour: number): Clash[] => {
      const faction = world.drawnFaction(index);
      return endingIn(
        hour,
        (day) => [roster.boutOf(index, day)],
        faction === null ? [] : [faction],
      );
    },
    /** Sorts after all else of the same second. */
    add: (clash: Clash): Clash => {
      const placed = { ...clash, order: 2 ** 32 + made.length };
      made.push(placed);
      return placed;
    },
  };
}
