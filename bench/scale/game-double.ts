import type { Fetch } from "#server/platform/upstream";
import { membersPerFaction } from "./fill-players";

const keyLength = 16;

/** The key that the double knows a player by. */
export const keyOf = (playerId: number): string => String(playerId).padStart(keyLength, "0");

/**
 * A game that knows three answers, about the players as `fillPlayers` placed them: the owner of a key, a player with all counters, and
 * what the vault of the key owner's faction holds.
 */
export function gameDouble(players: number): Fetch {
  const factions = Math.max(1, Math.floor(players / membersPerFaction));
  const factionOf = (player: number) => 1 + (player % factions);
  return async (request) => {
    const owner = Number(/\d{16}/.exec(request.headers.get("authorization") ?? request.url)?.[0]);
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.endsWith("/key/info")) return Response.json(keyInfo(owner, factionOf(owner)));
    if (pathname.endsWith("/user")) {
      const player = Number(searchParams.get("id") ?? owner);
      return Response.json({
        ...playerAnswer(player, factionOf(player)),
        ...(player === owner && { battlestats }),
      });
    }
    const members = Array.from({ length: membersPerFaction }, (_, place) => ({
      ...{
        id: (owner % factions || factions) + factions * place,
        username: `Player${place}`,
        money: 1e12,
        points: 1e6,
      },
    }));
    const balance = { faction: { money: 1e15, points: 1e9 }, members };
    return Response.json({ basic: { id: factionOf(owner) }, balance });
  };
}

const keyInfo = (owner: number, faction: number) => ({
  info: {
    user: { id: owner, faction_id: faction },
    access: { level: 3, type: "Limited Access", faction: false },
    selections: {},
  },
});

function playerAnswer(id: number, faction: number) {
  const seen = Math.floor(Date.now() / 1_000);
  const profile = {
    ...{ id, name: `Player${id}`, level: 1 + (id % 100), faction_id: faction, role: "Civilian" },
    signed_up: 1_500_000_000,
    status: { description: "Okay", details: null, state: "Okay", until: null },
    last_action: { status: "Online", timestamp: seen, relative: "now" },
  };
  return {
    profile,
    discord: { user_id: id, discord_id: String(100_000_000_000_000_000n + BigInt(id)) },
    faction: {
      id: faction,
      name: `Faction ${faction}`,
      tag: "",
      position: "Rank 1",
      days_in_faction: 9,
    },
    personalstats: countersOf(id),
  };
}

const battlestats = Object.fromEntries(
  ["strength", "defense", "speed", "dexterity"].map((name) => [name, { value: 1_000_000 }]),
);

const countersOf = (id: number) => ({
  attacking: {
    attacks: { won: id % 5_000, lost: id % 500 },
    defends: { won: id % 800 },
    elo: 1_000 + (id % 2_000),
    highest_level_beaten: id % 100,
    damage: { best: id % 9_000 },
    faction: { respect: id % 90_000, ranked_war_hits: id % 900 },
  },
  jobs: { trains_received: id % 400 },
  items: { used: { boosters: id % 700, energy_drinks: id % 4_000, stat_enhancers: id % 300 } },
  drugs: { xanax: id % 3_000, overdoses: id % 9 },
  networth: { total: id * 1_000 },
  other: {
    activity: { time: id % 90_000, streak: { best: id % 400, current: 3 } },
    awards: id % 500,
    donator_days: id % 3_000,
    refills: { energy: id % 900 },
  },
});
