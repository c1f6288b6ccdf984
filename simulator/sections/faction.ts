import { toUnixSeconds } from "#server/platform/time";
import type { Faction } from "#simulator/factions";
import { factionAttacks, factionAttacksFull } from "./attacks";
import { factionCrimes } from "./faction-crimes";
import { factionNews } from "./faction-news";
import { factionBalance } from "./faction-vault";
import { factionChain, factionWars } from "./faction-wars";
import { type Ask, daysBetween, section } from "./section";
import { lastActionObject, statusObject } from "./shared-objects";

/** Indices of the members who sit in a crime that has not happened yet. */
function inCrimes(faction: Faction, { crimes, now }: Ask): Set<number> {
  const taken = crimes.current(faction, now).flatMap(({ slots, filled }) => slots.filter((_, slot) => filled[slot]));
  return new Set(taken.flatMap(({ index }) => index ?? []));
}

/** `/faction/…` about the key owner's own faction, and `/faction/{id}/…`. */
export const faction = section({
  find: (id, { world, owner }) =>
    id === null ? (world.membership(owner)?.faction ?? null) : world.faction(Number(id)),
  selections: {
    basic: {
      level: 1,
      answer: (faction, { world, now }) => {
        const idOf = (position: string) => {
          const holder = world.holder(faction, position);
          return holder === null ? 0 : world.playerAt(holder).id;
        };
        return {
          basic: {
            id: faction.id,
            name: faction.name,
            tag: faction.tag,
            tag_image: "",
            leader_id: idOf("Leader"),
            co_leader_id: idOf("Co-leader"),
            respect: faction.respect,
            days_old: daysBetween(faction.founded, now),
            capacity: faction.capacity,
            members: world.members(faction).length,
            is_enlisted: null,
            rank: { level: 1, name: "Bronze", division: 1, position: 1 + faction.index, wins: faction.index % 20 },
            best_chain: faction.bestChain,
          },
        };
      },
    },
    members: {
      level: 1,
      answer: (faction, ask) => {
        const busy = inCrimes(faction, ask);
        return {
          members: ask.world.members(faction).map((member) => {
            const place = ask.world.membership(member);
            return {
              id: member.id,
              name: member.name,
              position: place?.position ?? "Recruit",
              level: member.level,
              days_in_faction: daysBetween(place?.since ?? ask.now, ask.now),
              is_revivable: member.index % 3 === 0,
              is_on_wall: false,
              is_in_oc: busy.has(member.index),
              has_early_discharge: false,
              last_action: lastActionObject(member, ask),
              status: statusObject(member, ask),
              revive_setting: "Unknown",
            };
          }),
        };
      },
    },
    attacks: factionAttacks,
    attacksfull: factionAttacksFull,
    chain: factionChain,
    wars: factionWars,
    crimes: factionCrimes,
    balance: factionBalance,
    news: factionNews,
    timestamp: { level: 1, answer: (_, { now }) => ({ timestamp: toUnixSeconds(now) }) },
    positions: {
      level: 2,
      own: true,
      factionAccess: true,
      answer: (faction) => ({
        positions: faction.positions.map(({ name, isDefault, abilities }) => ({
          name,
          is_default: isDefault,
          abilities,
        })),
      }),
    },
  },
});
