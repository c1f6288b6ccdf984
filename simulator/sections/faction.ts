import type { Faction } from "#simulator/factions";
import { factionAttacks } from "./attacks";
import { factionCrimes } from "./crimes";
import { type CallContext, daysBetween, lastActionObject, section, statusObject } from "./section";
import { factionBalance, factionNews } from "./vault";

/** Indices of members in a crime that is still open. */
const inCrimes = (faction: Faction, { crimes, now }: CallContext): Set<number | null> =>
  new Set(crimes.current(faction, now).flatMap(({ slots }) => slots.map(({ index }) => index)));

/** `/faction/…` for the key owner's faction, and `/faction/{id}/…`. */
export const faction = section({
  find: (id, { world, owner }) =>
    id === null ? (world.membership(owner)?.faction ?? null) : world.faction(Number(id)),
  selections: {
    basic: {
      level: 1,
      answer: (faction, { world, now }) => {
        const members = world.members(faction);
        const idOf = (position: string) =>
          members.find((member) => world.membership(member)?.position === position)?.id ?? 0;
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
            members: members.length,
            is_enlisted: null,
            rank: {
              level: 1,
              name: "Bronze",
              division: 1,
              position: 1 + faction.index,
              wins: faction.index % 20,
            },
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
    crimes: factionCrimes,
    balance: factionBalance,
    news: factionNews,
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
