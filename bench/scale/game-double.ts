import type { Fetch } from "#server/game/transport";
import { membersPerFaction } from "./fill-players";

const keyLength = 16;

/** The key that the double knows a player by. */
export const keyOf = (playerId: number): string => String(playerId).padStart(keyLength, "0");

/** A game that knows one answer: what the vault of the key owner's faction holds, as `fillPlayers` placed its members. */
export function gameDouble(players: number): Fetch {
  const factions = Math.max(1, Math.floor(players / membersPerFaction));
  return async (request) => {
    const owner = Number(/\d{16}/.exec(request.headers.get("authorization") ?? request.url)?.[0]);
    const members = Array.from({ length: membersPerFaction }, (_, place) => ({
      ...{
        id: (owner % factions || factions) + factions * place,
        username: `Player${place}`,
        money: 1e12,
        points: 1e6,
      },
    }));
    const balance = { faction: { money: 1e15, points: 1e9 }, members };
    return Response.json({ basic: { id: 1 + (owner % factions) }, balance });
  };
}
