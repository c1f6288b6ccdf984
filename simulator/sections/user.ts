import { toUnixSeconds } from "#server/platform/time";
import { dayNumberOf } from "#simulator/people/people";
import { nestedStats, readStatsQuery, statsOnDay } from "#simulator/people/personal-stats";
import type { Player } from "#simulator/players";
import { userAttacks, userAttacksFull } from "./attacks";
import {
  type Ask,
  daysBetween,
  lastActionObject,
  type Selection,
  section,
  statusObject,
} from "./section";
import { money, travel, userCrime, userCrimes } from "./user-affairs";

/** From this level a key reads all of its owner's own stats. */
const ownStatsLevel = 3;

const readsOwn = (player: Player, { owner, key }: Ask) =>
  player.id === owner.id && (key.level === 0 || key.level >= ownStatsLevel);

/** Newest visible day: today for the player, yesterday for others. */
const newestDay = (player: Player, ask: Ask) =>
  dayNumberOf(ask.now) - (readsOwn(player, ask) ? 0 : 1);

/** `battlestats`: as trained; modifiers are separate from the value. */
const battlestats: Selection<Player> = {
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

/**
 * `personalstats?cat=…` or `?stat=a,b&timestamp=…`. Other players' stats are as of the end of
 * yesterday.
 */
const personalstats: Selection<Player> = {
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
      const day =
        requested.at === null
          ? newest
          : Math.min(newest, dayNumberOf(new Date(requested.at * 1000)));
      return {
        personalstats: statsOnDay(requested.stats, people.counters(player.index, day), day),
      };
    }
    const battleStats = readsOwn(player, ask) ? people.stats(player.index, now) : null;
    return {
      personalstats: nestedStats(
        requested.category,
        people.counters(player.index, newest),
        battleStats,
      ),
    };
  },
};

/** Ids from here on are chat ids: the game takes either, and no player number is that high. */
const firstChatId = 2n ** 32n;

/** `/user/…` and `/user/{id}/…`, with a player's id or a chat id. */
export const user = section({
  find: (id, { world, owner }) => {
    if (id === null) return owner;
    return BigInt(id) >= firstChatId ? world.playerOfChat(BigInt(id)) : world.player(Number(id));
  },
  selections: {
    profile: {
      level: 1,
      answer: (player, ask) => ({
        profile: {
          id: player.id,
          name: player.name,
          level: player.level,
          rank: player.level > 60 ? "Veteran" : player.level > 25 ? "Regular" : "Newcomer",
          title: player.awards > 200 ? "Decorated" : "Hopeful",
          age: daysBetween(player.signedUp, ask.now),
          signed_up: toUnixSeconds(player.signedUp),
          faction_id: ask.world.membership(player)?.faction.id ?? null,
          honor_id: null,
          property: { id: 1, name: "Attic Room" },
          image: null,
          gender: player.gender,
          revivable: player.index % 3 === 0,
          role: "Civilian",
          status: statusObject(player, ask),
          spouse: null,
          awards: player.awards,
          friends: player.awards % 90,
          enemies: player.awards % 40,
          forum_posts: player.awards * 3,
          karma: player.karma,
          last_action: lastActionObject(player, ask),
          life: { current: 100 + 10 * player.level, maximum: 100 + 10 * player.level },
          donator_status: null,
        },
      }),
    },
    basic: {
      level: 1,
      answer: (player, ask) => ({
        profile: {
          id: player.id,
          name: player.name,
          level: player.level,
          gender: player.gender,
          status: statusObject(player, ask),
        },
      }),
    },
    discord: {
      level: 1,
      answer: (player) => ({
        discord: { user_id: player.id, discord_id: player.chatId?.toString() ?? "" },
      }),
    },
    organizedcrime: userCrime,
    organizedcrimes: userCrimes,
    faction: {
      level: 1,
      answer: (player, { world, now }) => {
        const place = world.membership(player);
        if (!place) return { faction: null };
        const { id, name, tag } = place.faction;
        return {
          faction: {
            id,
            name,
            tag,
            tag_image: "",
            position: place.position,
            days_in_faction: daysBetween(place.since, now),
          },
        };
      },
    },
    money,
    travel,
    attacks: userAttacks,
    attacksfull: userAttacksFull,
    timestamp: { level: 1, answer: (_, { now }) => ({ timestamp: toUnixSeconds(now) }) },
    battlestats,
    personalstats,
  },
});
