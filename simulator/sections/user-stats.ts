import { dayNumberOf } from "#simulator/people/people";
import { nestedStats, readStatsQuery, statsOnDay } from "#simulator/people/personal-stats";
import type { Player } from "#simulator/players";
import type { Ask, Selection } from "./section";

/** The level from which a key reads the whole of its owner's own stats. */
const ownStatsLevel = 3;

const readsOwn = (player: Player, { owner, key }: Ask) =>
  player.id === owner.id && (key.level === 0 || key.level >= ownStatsLevel);

/** The newest day that is told: today to the player themself, yesterday to everybody else. */
const newestDay = (player: Player, ask: Ask) => dayNumberOf(ask.now) - (readsOwn(player, ask) ? 0 : 1);

/** `battlestats`: the four of the key's owner, as trained; passing modifiers stand beside the value and are not in it. */
export const battlestats: Selection<Player> = {
  level: 3,
  own: true,
  answer: (player, { people, now }) => {
    const stats = people.stats(player.index, now);
    const shown = (value: number) => ({ value, modifier: 0, modifiers: [] });
    return {
      battlestats: {
        strength: shown(stats.strength),
        defense: shown(stats.defense),
        speed: shown(stats.speed),
        dexterity: shown(stats.dexterity),
        total: stats.strength + stats.defense + stats.speed + stats.dexterity,
      },
    };
  },
};

/** `personalstats?cat=…` or `?stat=a,b&timestamp=…`. Other players' are as of the end of yesterday. */
export const personalstats: Selection<Player> = {
  level: 1,
  refuses: (_, ask) => {
    const requested = readStatsQuery(ask.url.searchParams);
    return typeof requested === "number" ? requested : null;
  },
  answer: (player, ask) => {
    const { people, now, url } = ask;
    const requested = readStatsQuery(url.searchParams);
    if (typeof requested === "number") return {};
    const newest = newestDay(player, ask);
    if ("stats" in requested) {
      const day = requested.at === null ? newest : Math.min(newest, dayNumberOf(new Date(requested.at * 1000)));
      return { personalstats: statsOnDay(requested.stats, people.counters(player.index, day), day) };
    }
    const battleStats = readsOwn(player, ask) ? people.stats(player.index, now) : null;
    return { personalstats: nestedStats(requested.category, people.counters(player.index, newest), battleStats) };
  },
};
