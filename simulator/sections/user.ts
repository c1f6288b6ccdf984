import { toUnixSeconds } from "#server/platform/time";
import { totalOf } from "#simulator/people/battle-stats";
import { nestedStats } from "#simulator/people/counters";
import { dayNumberOf } from "#simulator/people/people";
import type { Player } from "#simulator/players";
import { userAttacks } from "./attacks";
import {
  type CallContext,
  daysBetween,
  lastActionObject,
  type Selection,
  section,
  statusObject,
} from "./section";

/** From this level a key reads all of its owner's own stats. */
const ownStatsLevel = 3;

/** Newest visible day: today for the player, yesterday for others. */
function newestDay(player: Player, { now, owner, key }: CallContext): number {
  const readsOwn = player.id === owner.id && (key.level === 0 || key.level >= ownStatsLevel);
  return dayNumberOf(now) - (readsOwn ? 0 : 1);
}

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

/** `personalstats?cat=popular`; other players' as of the end of yesterday. */
const personalstats: Selection<Player> = {
  level: 1,
  refuses: (_, { url }) => (url.searchParams.get("cat") === "popular" ? null : 21),
  answer: (player, ask) => ({
    personalstats: nestedStats(ask.people.counters(player.index, newestDay(player, ask))),
  }),
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
    battlestats,
    personalstats,
  },
});
