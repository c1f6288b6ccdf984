import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { findPlayer } from "../store";

/** A stored player's name. @throws UnknownUser */
export async function nameOfPlayer(ctx: Context, playerId: number): Promise<string> {
  const player = await findPlayer(ctx.database, playerId);
  if (!player) throw UnknownUser.because();
  return player.name;
}
