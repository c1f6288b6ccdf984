import { toUnixSeconds } from "#server/platform/time";
import { totalOf } from "#simulator/people/battle-stats";
import { nestedStats, refusesStats } from "#simulator/people/counters";
import { dayNumberOf } from "#simulator/people/people";
import type { Player } from "#simulator/players";
import { userAttacks } from "./attacks";
import {
  type Ask,
  daysBetween,
  lastActionObject,
  type Selection,
  section,
  statusObject,
} from "./section";

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
        total: totalOf(stats),
      },
    };
  },
};

/** `personalstats?cat=…`; other players' as of the end of yesterday. Named stats are refused. */
const personalstats: Selection<Player> = {
  level: 1,
  refuses: (_, { url }) => refusesStats(url.searchParams),
  answer: (player, ask) => {
    const { people, now, url } = ask;
    return {
      personalstats: nestedStats(
        url.searchParams.get("cat") ?? "",
        people.counters(player.index, newestDay(player, ask)),
        readsOwn(player, ask) ? people.stats(player.index, now) : null,
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
    attacks: userAttacks,
    timestamp: { level: 1, answer: (_, { now }) => ({ timestamp: toUnixSeconds(now) }) },
    battlestats,
    personalstats,
  },
});
