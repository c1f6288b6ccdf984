import type { TokenHolder } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import { StatsNotAvailable, UnknownUser } from "#server/failures";
import { isKnownPlayer } from "#server/users/enrol-player";
import { readOwnFaction } from "#server/users/membership/membership";
import { totalRange } from "../fair-fight";
import { findNewestVisible } from "./store";

/**
 * The newest stat score of a player that the caller may see: public, or their own faction's.
 * @throws UnknownUser, StatsNotAvailable
 */
export async function readHistoricalStat(
  ctx: Context,
  caller: { readonly actor: TokenHolder; readonly player: Authentication["player"] },
  playerId: number,
) {
  const factionId = await readOwnFaction(ctx, caller);
  const newest = await findNewestVisible(ctx.database.query, { playerId, factionId });
  if (newest) return { score: newest.score, at: newest.timeAdded, ...totalRange(newest.score) };
  throw ((await isKnownPlayer(ctx, playerId)) ? StatsNotAvailable : UnknownUser).because();
}
