import type { Context } from "#server/context";
import type { OpenKey } from "#server/users/keys/open-key";
import { refreshStaleCrimeTypes } from "./crimes/refresh-crime-types";
import { listingIsStale, refreshFactionMembers } from "./refresh-members";
import { findFaction } from "./store";

/**
 * What a sign-in refreshes besides the player, with the player's key: the members of their faction and the crime types,
 * each only where what is stored has aged. To be deferred: nobody waits for it.
 * @throws GameError
 */
export async function refreshAfterSignIn(
  ctx: Context,
  { factionId, key }: { factionId: number | null; key: OpenKey },
): Promise<void> {
  if (factionId !== null) {
    const faction = await findFaction(ctx.database.query, factionId);
    if (listingIsStale(faction?.membersRefreshed ?? null, ctx.now()))
      await refreshFactionMembers(ctx, factionId, { key, priority: "high" });
  }
  await refreshStaleCrimeTypes(ctx, key);
}
