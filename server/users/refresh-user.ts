import type { TokenHolder } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownKey, UnknownUser } from "#server/failures";
import { type GameErrorKind, isGameError } from "#server/game/game-error";
import { waitForGame } from "#server/game/wait-for-game";
import { requireScopes } from "#server/require-scopes";
import { pickKey } from "./keys/pick-key";
import { refreshPlayer } from "./refresh-player";
import { findPlayer } from "./store";

/** A player refreshed more recently is not asked for again. */
const freshSeconds = 600;

/**
 * Refreshes a player because an application asks for it: with the player's own key, else with the caller's. Of many who ask at
 * one moment one does it; the others wait, and ask for themselves where it was in vain.
 * @throws InsufficientPermissions, UnknownKey, UnknownUser (the game knows no such player), GameError
 */
export async function refreshUser(ctx: Context, actor: TokenHolder, playerId: number): Promise<void> {
  requireScopes(actor.scopes, ["service_key:usage"]);

  const before = ctx.refreshes.get(playerId);
  // No await where there is none: nobody may come between the look and the note.
  if (before) await before.catch(throwTimeout);
  const refresh = refreshUnlessFresh(ctx, actor, playerId);
  ctx.refreshes.set(playerId, refresh);
  try {
    await refresh;
  } finally {
    if (ctx.refreshes.get(playerId) === refresh) ctx.refreshes.delete(playerId);
  }
}

/** Nobody waits for a silent game twice as long. */
const throwTimeout = (error: unknown): void => {
  if (isGameError(error) && error.kind === "timeout") throw error;
};

async function refreshUnlessFresh(ctx: Context, actor: TokenHolder, playerId: number): Promise<void> {
  const last = (await findPlayer(ctx.database, playerId))?.lastRefresh;
  if (last && ctx.now().getTime() - last.getTime() < freshSeconds * 1_000) return;

  try {
    if (await waitForGame(refreshWithSomeKey(ctx, actor, playerId))) return;
  } catch (error) {
    if (isGameError(error) && error.kind === "unknown-id") throw UnknownUser.because({ cause: error });
    throw error;
  }
  throw UnknownKey.because();
}

/** @returns false where neither the player nor the caller has a key that works */
async function refreshWithSomeKey(ctx: Context, actor: TokenHolder, target: number): Promise<boolean> {
  if (await refreshWithKeyOf(ctx, target, { target, actor })) return true;
  return actor.playerId !== target && refreshWithKeyOf(ctx, actor.playerId, { target, actor });
}

/** Errors after which the key is out of use, so that the next one is worth a try. */
const keyIsOut: readonly GameErrorKind[] = ["key-dead", "key-paused", "owner-unavailable"];

/** @returns false where the owner has no key that works */
async function refreshWithKeyOf(
  ctx: Context,
  ownerId: number,
  { target, actor }: { target: number; actor: TokenHolder },
): Promise<boolean> {
  // Each turn either ends or puts one of the owner's keys out of use.
  for (;;) {
    const key = await pickKey(ctx, { of: "player", playerId: ownerId });
    if (!key) return false;
    // What is kept back for those who wait belongs to the key's owner, not to a stranger who asks about them.
    const priority = ownerId === actor.playerId ? "user" : "high";
    try {
      await refreshPlayer(ctx, { playerId: target, key, priority });
      return true;
    } catch (error) {
      if (!isGameError(error) || !keyIsOut.includes(error.kind)) throw error;
    }
  }
}
