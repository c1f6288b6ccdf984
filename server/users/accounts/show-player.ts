import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { requirePlayer } from "../find-players";

/** A player as the portal names them. */
export interface PlayerCard {
  readonly id: number;
  readonly name: string;
  readonly level: number | null;
  readonly factionId: number | null;
  readonly factionName: string | null;
  readonly chatLinked: boolean;
  /** With all its digits. */
  readonly chatId: string | null;
  readonly lastAction: Date | null;
  readonly lastRefresh: Date | null;
}

/** The user's own player, as last seen in the game. */
export async function showOwnPlayer(ctx: Context, user: PortalUser): Promise<PlayerCard> {
  const player = await requirePlayer(ctx, user.playerId);
  const { playerId: id, name, level, faction, chatId, lastAction, lastRefresh } = player;
  const { factionId, name: factionName } = faction ?? { factionId: null, name: null };
  const chat = { chatLinked: chatId !== null, chatId: chatId === null ? null : String(chatId) };
  return { id, name, level, factionId, factionName, ...chat, lastAction, lastRefresh };
}

/** A stored player's name. @throws UnknownUser */
export const nameOfPlayer = async (ctx: Context, playerId: number): Promise<string> =>
  (await requirePlayer(ctx, playerId)).name;
