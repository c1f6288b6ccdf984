import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import { InsufficientResourcePermissions, UnknownFaction } from "#server/failures";
import { gameCallError } from "#server/game/game-call-error";
import { readOwnFaction } from "#server/users/membership/membership";
import type { PlayerRecord } from "#server/users/player";
import { refreshPlayer } from "#server/users/refresh-player";
import type { SyncCredentials } from "./sync-schedules";

interface Caller {
  readonly ctx: Context;
  readonly by: TokenHolder;
  readonly player: PlayerRecord | undefined;
}

/**
 * The caller's faction, which must equal `asked` if given.
 * @throws UnknownFaction without a faction, InsufficientResourcePermissions for another faction
 */
export async function requireOwnFaction(caller: Caller, asked?: number): Promise<number> {
  const own = await readOwnFaction(caller.ctx, caller);
  if (own === null) throw UnknownFaction.because({ message: "The user is in no faction." });
  if (asked !== undefined && asked !== own) throw InsufficientResourcePermissions.because();
  return own;
}

/**
 * Rejects an answer about another faction: the key's owner has moved. Refreshes the owner, so that
 * the key is not reused for the old faction.
 * @throws GameCallError always
 */
export async function rejectWrongFaction(
  ctx: Context,
  factionId: number,
  credentials: SyncCredentials,
): Promise<never> {
  await requireReaderIn(ctx, factionId, credentials);
  throw wrongFaction(factionId);
}

/**
 * Looks up the key's owner, because the answer names no faction.
 * @throws GameCallError if they have left the faction
 */
export async function requireReaderIn(
  ctx: Context,
  factionId: number,
  { key, priority }: SyncCredentials,
): Promise<void> {
  const owner = await refreshPlayer(ctx, { playerId: key.playerId, key, priority });
  if (owner.factionId !== factionId) throw wrongFaction(factionId);
}

const wrongFaction = (factionId: number) =>
  gameCallError({
    kind: "unexpected-answer",
    detail: `the answer does not concern faction ${factionId}`,
  });
