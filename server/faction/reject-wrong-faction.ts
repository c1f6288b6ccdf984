import type { Context } from "#server/context";
import { type GameCallError, gameCallError } from "#server/game/game-call-error";
import { isKeyOut, keyActs } from "#server/users/keys/act-on-key";
import { refreshPlayer } from "#server/users/refresh-player";
import type { SyncCredentials } from "./sync-schedules";

/**
 * For an answer that concerns another faction than the one that was asked about: the owner of the key has moved. Looks the owner
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
 * For an answer that names no faction and may be of another one: looks the owner of the key up.
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
  gameCallError({ kind: "unexpected-answer", detail: `the answer does not concern faction ${factionId}` });

/** Whether the key that was refused reads no faction data any more, so that another member's is worth a try. */
export const isKeyOutForFaction = (error: GameCallError): boolean =>
  isKeyOut(error) || keyActs[error.kind]?.ofFaction === true;
