import { daySeconds, toUnixSeconds } from "#server/platform/time";
import type { Faction } from "#simulator/factions";
import { chainModifier, nextBonusHit } from "#simulator/fights/fight-rules";
import { chainTimeout } from "#simulator/fights/fights";
import type { War } from "#simulator/fights/wars";
import type { Ask, Selection } from "./section";

/** `faction/chain`: zeros if no chain is alive. */
export const factionChain: Selection<Faction> = {
  level: 1,
  answer: (faction, { fights, now }) => {
    const second = toUnixSeconds(now);
    const { count, first, last } = fights.chainAt(faction.index, second);
    const alive = count > 0;
    return {
      chain: {
        id: alive ? first : 0,
        current: count,
        max: nextBonusHit(count),
        timeout: alive ? chainTimeout - (second - last) : 0,
        modifier: chainModifier(count),
        cooldown: 0,
        start: alive ? first : 0,
        end: alive ? last + chainTimeout : 0,
      },
    };
  },
};

const scorePerDay = 900;

function rankedWar(war: War, { world, fights, now }: Ask) {
  const second = toUnixSeconds(now);
  return {
    war_id: war.id,
    start: war.start,
    end: war.end !== null && war.end <= second ? war.end : null,
    target: 3 * scorePerDay,
    winner: null,
    factions: war.sides.map((side) => {
      const { id, name } = world.factionAt(side);
      const days = Math.max(0, second - war.start) / daySeconds;
      return {
        id,
        name,
        score: Math.floor(days * scorePerDay * (0.4 + (id % 7) / 10)),
        chain: fights.chainAt(side, second).count,
      };
    }),
  };
}

/** `faction/wars`: the current ranked war or null. Raids and walls are not simulated. */
export const factionWars: Selection<Faction> = {
  level: 1,
  answer: (faction, ask) => {
    const second = toUnixSeconds(ask.now);
    const war = ask.fights.wars.ofFaction(faction.index, second, second)[0];
    return {
      pacts: [],
      wars: { ranked: war ? rankedWar(war, ask) : null, raids: [], territory: [] },
    };
  },
};
