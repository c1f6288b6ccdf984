import type { Context } from "#server/context";
import { findOwnPlayer } from "./store";

/** Whether the player is known here at all. */
export const isKnownPlayer = async (ctx: Context, playerId: number): Promise<boolean> =>
  (await findOwnPlayer(ctx.database, playerId)) !== undefined;
