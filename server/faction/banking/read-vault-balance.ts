import { type Context, perProcess } from "#server/context";
import { isFailure, TooManyRequests, UnknownFactionKey, UnknownUser } from "#server/failures";
import type { MemberBalances } from "#server/game/contract/faction";
import { countSentRows } from "#server/game/contract/rows";
import {
  gameCallError,
  isGameCallError,
  isUncharged,
  withGameTimeout,
} from "#server/game/game-call-error";
import { selectionsByCall } from "#server/game/selections";
import { serializeError } from "#server/platform/errors";
import { createTtlCache } from "#server/platform/ttl-cache";
import { callGame, type GameCall, isKeyRefused, tryKeys } from "#server/users/keys/call-game";
import { refreshPlayer } from "#server/users/refresh-player";
import { requireMembership } from "../positions/membership";
import { hasPaymentSince, saveVaultReading, type VaultMember } from "./store";

/**
 * A negative balance is a debt.
 * @throws UnknownFaction, UnknownFactionKey, UnknownUser (not in the vault's list),
 * TooManyRequests, GameCallError
 */
export async function readVaultBalance(ctx: Context, { playerId }: { readonly playerId: number }) {
  const { factionId } = await requireMembership(ctx.database, playerId);
  const { balance } = await readMemberBalance(ctx, { playerId, factionId });
  if (!balance)
    throw UnknownUser.because({ message: "The faction's vault has no balance for you." });
  return { ...balance, factionId };
}

/**
 * @returns `balance` undefined if the vault lists none; `readAt` from before the game call
 * @throws UnknownFactionKey, TooManyRequests, GameCallError
 */
export async function readMemberBalance(ctx: Context, member: VaultMember) {
  const { playerId, factionId } = member;
  const { readAt, vault } = await withGameTimeout(shareReading(ctx, member));
  const balance = vault.members.find((listed) => listed.playerId === playerId);
  if (!balance && !isComplete(vault))
    throw gameCallError({
      kind: "unexpected-answer",
      detail: `faction ${factionId}: the vault's list lacks members`,
    });
  return { readAt, balance };
}

/** A member missing from an incomplete list may still have a balance. */
const isComplete = ({ members, membersCounted }: MemberBalances): boolean =>
  !members.unreadable && countSentRows(members) >= (membersCounted ?? 0);

interface VaultReading {
  /** The time before the game call, so the balance is at least this new. */
  readonly readAt: Date;
  readonly vault: MemberBalances;
}

/** Milliseconds since the beginning of a reading. */
const sharedFor = 2_000;
/** More factions than can be read within two seconds. */
const mostShared = 1_000;

/** Keyed by faction id. */
export const vaultReadingCache = perProcess("vault readings", ({ now }) =>
  createTtlCache<number, VaultReading>({ now, ttl: sharedFor, most: mostShared }),
);

/** Single-flight: joins or reuses a reading, unless the member was paid since it began. */
async function shareReading(ctx: Context, member: VaultMember): Promise<VaultReading> {
  const { factionId } = member;
  const readings = vaultReadingCache(ctx);
  for (;;) {
    let isOwn = false;
    try {
      const reading = await readings.load(factionId, () => {
        isOwn = true;
        return readVault(ctx, member);
      });
      if (isOwn || !(await hasPaymentSince(ctx.database.query, member, reading.readAt)))
        return reading;
      if (readings.get(factionId) === reading) readings.delete(factionId);
    } catch (error) {
      // Another member's rate limit ended the shared reading, so this member's limit is tried.
      if (isOwn || !isFailure(error, TooManyRequests)) throw error;
    }
  }
}

/** Rate-limited per member, so that one member cannot use up the faction's keys. */
async function readVault(
  ctx: Context,
  { playerId, factionId }: VaultMember,
): Promise<VaultReading> {
  const readAt = ctx.now();
  const { vault: limit } = ctx.settings.rates;
  const window = { policy: "vault-reads", subject: String(playerId), limit };
  const { allowed, reset } = await ctx.limiter.take(window);
  if (!allowed)
    throw TooManyRequests.because({
      message: `You read your faction's vault too often: at most ${limit} readings a minute for each member.`,
      details: { policy: window.policy, limit, reset },
      retryAfter: reset,
    });
  try {
    const vault = await callWithVaultKey(ctx, factionId, {
      priority: "guest",
      reads: selectionsByCall.vaultBalance,
      call: (game, key) => game.factionBalance(key),
    });
    if (isComplete(vault)) await keepReading(ctx, { readAt, vault });
    return { readAt, vault };
  } catch (error) {
    if (isUncharged(error)) await ctx.limiter.giveBack(window, readAt);
    throw error;
  }
}

/** A failed write is only logged, because the caller still gets a valid answer. */
async function keepReading(ctx: Context, { readAt, vault }: VaultReading): Promise<void> {
  const { factionId, members } = vault;
  try {
    await saveVaultReading(ctx.database.query, { factionId, readAt, balances: members });
  } catch (error) {
    ctx.log.error({ factionId, error: serializeError(error) }, "a vault reading was not stored");
  }
}

/** @throws UnknownFactionKey if no key with vault access is left, GameCallError */
export async function callWithVaultKey<Answer extends { readonly factionId: number }>(
  ctx: Context,
  factionId: number,
  { reads, ...question }: Omit<GameCall<Answer>, "key"> & { readonly reads: readonly string[] },
): Promise<Answer> {
  const answer = await tryKeys(ctx, { of: "faction", factionId, reads }, async (key) => {
    const received = await callGame(ctx, { ...question, key });
    if (received.factionId === factionId) return received;
    // The key's owner has changed faction.
    await refreshPlayer(ctx, { playerId: key.playerId, key, priority: question.priority });
    return undefined;
  }).catch((error: unknown) => {
    if (isGameCallError(error) && isKeyRefused(error)) return null;
    throw error;
  });
  if (!answer) throw UnknownFactionKey.because();
  return answer;
}
