import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import type { OwnPlayer } from "../player";
import { findOwnPlayer } from "../store";

/** The faction that somebody is in now, which is never remembered: null for none, and for somebody unknown. */
export async function readOwnFaction(
  ctx: Context,
  { actor, player }: { actor: TokenHolder; player: OwnPlayer | undefined },
): Promise<number | null> {
  const own = player ?? (await findOwnPlayer(ctx.database, actor.playerId));
  return own?.factionId ?? null;
}
