import type { Queryable } from "#db/client";
import { type Listing, lockConcerned, releaseOthers, upsertMembers } from "./store";

/** Applies a complete listing of a faction: who is on it is in the faction, who is not has left. Call it in a transaction. */
export async function placeMembers(tx: Queryable, listing: Listing): Promise<void> {
  await lockConcerned(tx, listing);
  await releaseOthers(tx, listing);
  await upsertMembers(tx, listing);
}
