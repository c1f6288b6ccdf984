import type { Queryable } from "#db/client";
import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import type { OwnPlayer } from "../player";
import { findOwnPlayer } from "../store";
import { endAccessExcept, type Listing, lockConcerned, releaseOthers, upsertMembers } from "./store";

/** The faction that somebody is in now, which is never remembered: null for none, and for somebody unknown. */
export async function readOwnFaction(
  ctx: Context,
  { actor, player }: { actor: TokenHolder; player: OwnPlayer | undefined },
): Promise<number | null> {
  const own = player ?? (await findOwnPlayer(ctx.database, actor.playerId));
  return own?.factionId ?? null;
}

/** Applies a complete listing of a faction: who is on it is in the faction, who is not has left. Call it in a transaction. */
export async function placeMembers(tx: Queryable, { members, ...listing }: Listing): Promise<void> {
  // Somebody who stands on it twice counts once.
  const once = { ...listing, members: [...new Map(members.map((member) => [member.playerId, member])).values()] };
  await lockConcerned(tx, once);
  await releaseOthers(tx, once);
  await upsertMembers(tx, once);
}

/** Takes faction API access from the members whose position does not grant it, unless they were seen in it later. */
export const endAccessOfHolders = (
  tx: Queryable,
  of: { readonly factionId: number; readonly exceptPositions: readonly string[]; readonly at: Date },
): Promise<void> => endAccessExcept(tx, of);
