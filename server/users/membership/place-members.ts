import type { Queryable } from "#db/client";
import { type Listing, lockConcerned, releaseOthers, upsertMembers } from "./store";

/** Applies a complete listing of a faction: who is on it is in the faction, who is not has left. Call it in a transaction. */
export async function placeMembers(tx: Queryable, { members, ...listing }: Listing): Promise<void> {
  // Somebody who stands on it twice counts once.
  const once = { ...listing, members: [...new Map(members.map((member) => [member.playerId, member])).values()] };
  await lockConcerned(tx, once);
  await releaseOthers(tx, once);
  await upsertMembers(tx, once);
}
