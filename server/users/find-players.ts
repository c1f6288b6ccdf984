import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { PlayerId } from "#server/rest/shapes";
import type { Player } from "./player";
import { findPlayer, listPlayersByName } from "./store";

/** As many as are worth looking through; a longer beginning of the name finds fewer. */
const mostFound = 25;

const isId = /^\d{1,10}$/;
/** "Name [123]", as the game writes a player. */
const withId = /\[(\d{1,10})\]$/;

/**
 * Finds players known here: the one of an id, also as "Name [123]", or those whose names begin with what was typed.
 * @returns a player's id where one was named, whether known or not
 */
export async function findPlayers(ctx: Context, typed: string) {
  const named = PlayerId.safeParse(Number(withId.exec(typed)?.[1] ?? (isId.test(typed) ? typed : Number.NaN)));
  if (named.success) return { playerId: named.data } as const;
  if (typed === "") return { players: [], more: false };
  const found = await listPlayersByName(ctx.database.query, typed, mostFound + 1);
  return { players: found.slice(0, mostFound), more: found.length > mostFound };
}

/** A player as everybody may see them. @throws UnknownUser */
export async function requirePlayer(ctx: Context, playerId: number): Promise<Player> {
  const player = await findPlayer(ctx.database, playerId);
  if (!player) throw UnknownUser.because();
  return player;
}
