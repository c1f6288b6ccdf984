import type { Context } from "#server/context";
import { isGameCallError, isOutage } from "#server/game/game-call-error";
import type { GameKey } from "#server/users/keys/pick-key";
import { readAttacks } from "./attacks/read-attacks";
import { refreshStaleCrimeTypes } from "./crimes/refresh-crime-types";
import { refreshCrimes } from "./crimes/refresh-crimes";
import { findMember } from "./positions/membership";
import { refreshPositions } from "./positions/refresh-positions";
import { listingIsStale, refreshFactionMembers } from "./refresh-members";
import { askForSharing } from "./scores/faction-scores";
import { findListedAt } from "./store";
import { type SyncCredentials, syncSchedules } from "./sync-schedules";
import { isSyncDue } from "./sync-store";

/** Readings that need faction API access, in the order in which rights depend on them. */
const privateSyncs = [
  { sync: "positions", read: refreshPositions },
  { sync: "attacks", read: readAttacks },
  { sync: "crimes", read: refreshCrimes },
] as const;

/**
 * Refreshes stale members, private data and crime types with the player's key. Runs deferred.
 * @throws GameCallError
 */
export async function refreshAfterSignIn(
  ctx: Context,
  { factionId, key }: { factionId: number | null; key: GameKey },
): Promise<void> {
  if (factionId !== null) {
    const credentials: SyncCredentials = { key, priority: "high" };
    if (listingIsStale(await findListedAt(ctx.database.query, factionId), ctx.now()))
      await refreshFactionMembers(ctx, factionId, credentials);
    await readPrivateData(ctx, factionId, credentials);
    await askForSharing(ctx, factionId, key.playerId);
  }
  await refreshStaleCrimeTypes(ctx, key);
}

async function readPrivateData(
  ctx: Context,
  factionId: number,
  credentials: SyncCredentials,
): Promise<void> {
  const on = ctx.database.query;
  const reader = await findMember(ctx.database, credentials.key.playerId, factionId);
  if (!reader?.factionApiAccess) return;
  for (const { sync, read } of privateSyncs) {
    if (!(await isSyncDue(on, factionId, { sync, now: ctx.now() }))) continue;
    try {
      // Covers a day of a quiet faction; the job continues from there.
      await read(ctx, factionId, { ...credentials, calls: syncSchedules[sync].mostCalls });
    } catch (error) {
      if (!isGameCallError(error) || isOutage(error.kind)) throw error;
      ctx.log.warn(
        { factionId, sync, kind: error.kind },
        "a faction could not be read at a sign-in",
      );
    }
  }
}
