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
  readonly actor: TokenHolder;
  readonly player: PlayerRecord | undefined;
}

/**
 * The caller's own faction, which must be the one asked for, where one is.
 * @throws UnknownFaction for somebody without a faction, InsufficientResourcePermissions for another faction's data
 */
export async function requireOwnFaction(caller: Caller, asked?: number): Promise<number> {
  const own = await readOwnFaction(caller.ctx, caller);
  if (own === null) throw UnknownFaction.because({ message: "The user is in no faction." });
  if (asked !== undefined && asked !== own) throw InsufficientResourcePermissions.because();
  return own;
}

/**
 * Rejects an answer that concerns another faction than the one that was asked about: the owner of the key has moved. Looks the owner
 * up, so that the key is not used for the old faction again, and stores nothing else.
 * @throws GameCallError always
 */
export async function rejectWrongFaction(
  ctx: Context,
  factionId: number,
  { key, priority }: SyncCredentials,
): Promise<never> {
  await refreshPlayer(ctx, { playerId: key.playerId, key, priority });
  throw wrongFaction(factionId);
}

/**
 * Checks an answer that names no faction and may be of another one, by looking the owner of the key up.
 * @throws GameCallError where they are not in the faction any more
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
