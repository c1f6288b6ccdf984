import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { PlayerId } from "#server/rest/shapes";
import type { Player } from "./player";
import { findPlayer, listPlayersByName } from "./store";

const mostFound = 25;

const isId = /^\d{1,10}$/;
const withId = /\[(\d{1,10})\]$/;

/**
 * `typed` is an id, "Name [123]", or the beginning of a name.
 * @returns an id even if no such player is known
 */
export async function findPlayers(ctx: Context, typed: string) {
  const named = PlayerId.safeParse(
    Number(withId.exec(typed)?.[1] ?? (isId.test(typed) ? typed : Number.NaN)),
  );
  if (named.success) return { playerId: named.data } as const;
  if (typed === "") return { players: [], more: false };
  const found = await listPlayersByName(ctx.database.query, typed, mostFound + 1);
  return { players: found.slice(0, mostFound), more: found.length > mostFound };
}

/** @throws UnknownUser */
export async function requirePlayer(ctx: Context, playerId: number): Promise<Player> {
  const player = await findPlayer(ctx.database, playerId);
  if (!player) throw UnknownUser.because();
  return player;
}

export type OwnPlayerView = Awaited<ReturnType<typeof showOwnPlayer>>;

export async function showOwnPlayer(ctx: Context, user: PortalUser) {
  const { playerId: id, faction, chatId, ...player } = await requirePlayer(ctx, user.playerId);
  return {
    id,
    ...player,
    factionId: faction?.factionId ?? null,
    factionName: faction?.name ?? null,
    chatId: chatId === null ? null : String(chatId),
  };
}

/** @throws UnknownUser */
export const requirePlayerName = async (ctx: Context, playerId: number): Promise<string> =>
  (await requirePlayer(ctx, playerId)).name;
