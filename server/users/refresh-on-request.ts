import { requireScopes, type TokenHolder } from "#server/actor";
import { type Context, perProcess } from "#server/context";
import { isFailure, TooManyRequests, UnknownKey, UnknownUser } from "#server/failures";
import {
  gameCallErrorKinds,
  isGameCallError,
  isUncharged,
  withGameTimeout,
} from "#server/game/game-call-error";
import { selectionsByCall } from "#server/game/selections";
import { secondMs } from "#server/platform/time";
import { createTtlCache } from "#server/platform/ttl-cache";
import { tryKeys } from "./keys/call-game";
import { refreshPlayer } from "./refresh-player";
import { findPlayer } from "./store";

type Asker = Pick<TokenHolder, "playerId" | "scopes">;

const freshSeconds = 600;

const readings = perProcess("player readings", ({ now }) =>
  createTtlCache<number, never>({ now, ttl: 0, most: 1 }),
);

/**
 * Uses the player's own key, else the caller's. Single-flight: if a refresh fails, the next waiter
 * tries.
 * @throws InsufficientPermissions, UnknownKey, UnknownUser (unknown to the game), TooManyRequests,
 * GameCallError
 */
export async function refreshOnRequest(
  ctx: Context,
  actor: Asker,
  playerId: number,
): Promise<void> {
  requireScopes(actor.scopes, ["service_key:usage"]);
  for (let vain = 1; ; vain++) {
    let isOwn = false;
    try {
      await readings(ctx).load(playerId, async () => {
        isOwn = true;
        await refreshUnlessFresh(ctx, actor, playerId);
        return undefined;
      });
      return;
    } catch (error) {
      if (isOwn || isFinal(error, vain)) throw error;
    }
  }
}

/** True if a shared failure also fails the waiting caller. @param vain failed attempts so far */
function isFinal(error: unknown, vain: number): boolean {
  // A timeout fails all waiters, because each retry would wait as long again.
  if (isGameCallError(error) && error.kind === "timeout") return true;
  const mayHaveBetterKey =
    isFailure(error, UnknownKey) ||
    isFailure(error, TooManyRequests) ||
    (isGameCallError(error) && gameCallErrorKinds[error.kind].concerns === "key");
  return vain > 1 && !mayHaveBetterKey;
}

async function refreshUnlessFresh(ctx: Context, actor: Asker, playerId: number): Promise<void> {
  const last = (await findPlayer(ctx.database, playerId))?.lastRefresh;
  if (last && ctx.now().getTime() - last.getTime() < freshSeconds * secondMs) return;
  const giveBackCharge = await chargeCaller(ctx, actor.playerId);
  const refresh = refreshWithSomeKey(ctx, actor, playerId).catch(async (error: unknown) => {
    if (isUncharged(error)) await giveBackCharge();
    throw error;
  });

  try {
    if (await withGameTimeout(refresh)) return;
  } catch (error) {
    if (isGameCallError(error) && error.kind === "unknown-id")
      throw UnknownUser.because({ cause: error });
    throw error;
  }
  throw UnknownKey.because();
}

/**
 * Refreshes are limited per caller, because the caller's key also serves their faction.
 * @returns a function that gives the charge back
 */
async function chargeCaller(ctx: Context, playerId: number): Promise<() => Promise<void>> {
  const { refresh: limit } = ctx.settings.rates;
  const policy = "user-refresh";
  const window = { policy, subject: String(playerId), limit };
  const chargedAt = ctx.now();
  const { allowed, reset } = await ctx.limiter.take(window);
  if (allowed) return () => ctx.limiter.giveBack(window, chargedAt);
  const message = `You asked for too many refreshes: at most ${limit} a minute for each player.`;
  throw TooManyRequests.because({ message, details: { policy, limit, reset }, retryAfter: reset });
}

/** @returns false if neither player nor caller has a working key */
async function refreshWithSomeKey(ctx: Context, actor: Asker, target: number): Promise<boolean> {
  if (await refreshWithKeyOf(ctx, target, { target, actor })) return true;
  return actor.playerId !== target && refreshWithKeyOf(ctx, actor.playerId, { target, actor });
}

async function refreshWithKeyOf(
  ctx: Context,
  ownerId: number,
  { target, actor }: { target: number; actor: Asker },
): Promise<boolean> {
  // Calls reserved for the key's owner are not for other callers.
  const priority = ownerId === actor.playerId ? "user" : "high";
  const choice = { of: "player", playerId: ownerId, reads: selectionsByCall.player } as const;
  const refreshed = await tryKeys(ctx, choice, (key) =>
    refreshPlayer(ctx, { playerId: target, key, priority }),
  );
  return refreshed !== null;
}
