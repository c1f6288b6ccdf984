import type { TokenHolder } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import { farFuture } from "#server/users/player";
import { findOwnPlayer } from "#server/users/store";

/** As `ctx.tokens.authenticate` answers; the database need not know the player. */
export async function liveToken(
  { database }: Pick<Context, "database">,
  actor: TokenHolder,
  status: Authentication["status"] = "active",
): Promise<Authentication> {
  const { playerId } = actor;
  const unknown = { chatId: null, factionId: null, lastAction: null, lastRefresh: null };
  const player = (await findOwnPlayer(database, playerId)) ?? {
    playerId,
    name: "Player",
    ...unknown,
  };
  return { actor, status, player, expiresAt: farFuture };
}
