import { toUnixSeconds } from "#server/platform/time";
import { userAttacks, userAttacksFull } from "./attacks";
import { daysBetween, section } from "./section";
import { lastActionObject, statusObject } from "./shared-objects";
import { money, travel, userCrime, userCrimes } from "./user-affairs";
import { battlestats, personalstats } from "./user-stats";

/** Ids from here on are chat ids: the game takes either, and no player number is that high. */
const firstChatId = 2n ** 32n;

/** `/user/…` and `/user/{id}/…`, where the id is a player's or a chat id. */
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
      answer: (player) => ({ discord: { user_id: player.id, discord_id: player.chatId?.toString() ?? "" } }),
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
