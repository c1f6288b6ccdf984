import { requireScopes, type TokenHolder } from "#server/actor";
import { type Context, perProcess } from "#server/context";
import { isFailure, TooManyRequests, UnknownKey, UnknownUser } from "#server/failures";
import { type GameCallErrorKind, isGameCallError, isUncharged } from "#server/game/game-call-error";
import { selectionsOf } from "#server/game/selections";
import { waitForGame } from "#server/game/wait-for-game";
import { secondMs } from "#server/platform/time";
import { tryKeys } from "./keys/call-game";
import { refreshPlayer } from "./refresh-player";
import { findPlayer } from "./store";

/** The caller, and their scopes. */
type Asker = Pick<TokenHolder, "playerId" | "scopes">;

/** A player refreshed more recently is not asked for again. */
const freshSeconds = 600;

/** Players who are being read from the game here, by their number: a second caller waits for the same reading. */
const readingsUnderWay = perProcess("player readings", () => new Map<number, Promise<void>>());

/**
 * Refreshes a player because an application asks for it: with the player's own key, else with the caller's. Of many who ask at
 * one moment one does it and the others wait. Where it was in vain the next of them tries; the rest wait again.
 * @throws InsufficientPermissions, UnknownKey, UnknownUser (the game knows no such player), TooManyRequests,
 * GameCallError
 */
export async function refreshOnRequest(
  ctx: Context,
  actor: Asker,
  playerId: number,
): Promise<void> {
  requireScopes(actor.scopes, ["service_key:usage"]);
  const underWay = readingsUnderWay(ctx);
  for (let vain = 1; ; vain++) {
    const before = underWay.get(playerId);
    // No await where there is none: nobody may come between the look and the note.
    if (!before) break;
    try {
      return await before;
    } catch (error) {
      if (isFinal(error, vain)) throw error;
    }
  }
  const refresh = refreshUnlessFresh(ctx, actor, playerId);
  underWay.set(playerId, refresh);
  try {
    await refresh;
  } finally {
    underWay.delete(playerId);
  }
}

/** Failures of the one key that was tried: the next caller may have another one. */
const ofTheKey: readonly GameCallErrorKind[] = [
  "owner-budget",
  "daily-limit",
  "key-just-changed",
  "private-selection",
  "access-level",
];

/** Whether a shared read failed so that the waiting caller fails too. @param vain how often it has waited in vain */
function isFinal(error: unknown, vain: number): boolean {
  // Nobody waits for a silent game twice as long.
  if (isGameCallError(error) && error.kind === "timeout") return true;
  const mayHaveBetterKey =
    isFailure(error, UnknownKey) ||
    isFailure(error, TooManyRequests) ||
    (isGameCallError(error) && ofTheKey.includes(error.kind));
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
    if (await waitForGame(refresh)) return;
  } catch (error) {
    if (isGameCallError(error) && error.kind === "unknown-id")
      throw UnknownUser.because({ cause: error });
    throw error;
  }
  throw UnknownKey.because();
}

/**
 * The caller's key serves others too, such as the faction's bank: refreshes must leave calls to them.
 * @returns takes the charge back
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

/** @returns false where neither the player nor the caller has a key that works */
async function refreshWithSomeKey(ctx: Context, actor: Asker, target: number): Promise<boolean> {
  if (await refreshWithKeyOf(ctx, target, { target, actor })) return true;
  return actor.playerId !== target && refreshWithKeyOf(ctx, actor.playerId, { target, actor });
}

/** @returns false where the owner has no key that reads players */
async function refreshWithKeyOf(
  ctx: Context,
  ownerId: number,
  { target, actor }: { target: number; actor: Asker },
): Promise<boolean> {
  // Calls kept back for callers who wait belong to the key's owner, not to a stranger who asks about them.
  const priority = ownerId === actor.playerId ? "user" : "high";
  const choice = { of: "player", playerId: ownerId, reads: selectionsOf.player } as const;
  const refreshed = await tryKeys(ctx, choice, (key) =>
    refreshPlayer(ctx, { playerId: target, key, priority }),
  );
  return refreshed !== null;
}
