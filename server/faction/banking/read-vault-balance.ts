import { type Context, perProcess } from "#server/context";
import { TooManyRequests, UnknownFactionKey, UnknownUser } from "#server/failures";
import type { FactionBalance } from "#server/game/contract/faction";
import { rowsSent } from "#server/game/contract/rows";
import {
  type GameCallError,
  gameCallError,
  isGameCallError,
  isUncharged,
} from "#server/game/game-call-error";
import { selectionsOf } from "#server/game/selections";
import { waitForGame } from "#server/game/wait-for-game";
import { describeError } from "#server/platform/errors";
import { createTtlCache } from "#server/platform/ttl-cache";
import { callGame, type GameCall, isKeyRefused } from "#server/users/keys/call-game";
import { pickKey } from "#server/users/keys/pick-key";
import { refreshPlayer } from "#server/users/refresh-player";
import { ownMembership } from "../positions/membership";
import { saveVaultReading, type VaultMember, wasPaidSince } from "./store";

/**
 * Reads the player's own balance from the game, negative for a member with debts; see
 * `findVaultBalance`.
 * @throws UnknownFaction, UnknownFactionKey, UnknownUser (not in the vault's list),
 * TooManyRequests, GameCallError
 */
export async function readVaultBalance(ctx: Context, { playerId }: { readonly playerId: number }) {
  const { factionId } = await ownMembership(ctx.database, playerId);
  const { balance } = await findVaultBalance(ctx, { playerId, factionId });
  if (!balance)
    throw UnknownUser.because({ message: "The faction's vault has no balance for you." });
  return { ...balance, factionId };
}

/**
 * At most two seconds old, and newer than the last recorded payment to the member.
 * @returns `balance` undefined if unlisted; `readAt` is before the game call
 * @throws UnknownFactionKey, TooManyRequests, GameCallError
 */
export async function findVaultBalance(ctx: Context, member: VaultMember) {
  const { playerId, factionId } = member;
  const { readAt, vault } = await chooseRead(ctx, member);
  const answer = await waitForGame(vault);
  const balance = answer.members.find((listed) => listed.playerId === playerId);
  if (!balance && !isComplete(answer))
    throw gameCallError({
      kind: "unexpected-answer",
      detail: `faction ${factionId}: the vault's list lacks members`,
    });
  return { readAt, balance };
}

/** Absence from an incomplete list does not mean a balance of zero. */
const isComplete = ({ members, membersCounted }: FactionBalance): boolean =>
  !members.unreadable && rowsSent(members) >= (membersCounted ?? 0);

interface VaultRead {
  /** Taken before the call, so the balance is at least this new. */
  readonly readAt: Date;
  readonly vault: Promise<FactionBalance>;
}

/** Milliseconds for which a finished reading is shared. */
const sharedFor = 2_000;
/** Milliseconds after which a pending reading is no longer joined. */
const longestShared = 7_000;

/** More factions than can be read in that time. */
const mostShared = 1_000;

/** By faction. */
export const vaultReads = perProcess("vault readings", ({ now }) =>
  createTtlCache<number, VaultRead>({ now, ttl: longestShared, most: mostShared }),
);

/**
 * Requests within two seconds share one reading. The readings per member and minute are limited, so
 * that one member cannot use up the keys of the faction.
 */
async function chooseRead(ctx: Context, { playerId, factionId }: VaultMember): Promise<VaultRead> {
  const reads = vaultReads(ctx);
  const known = reads.get(factionId);
  if (known && !(await wasPaidSince(ctx.database.query, { playerId, factionId }, known.readAt)))
    return known;

  const arrived = ctx.now();
  const { vault: limit } = ctx.settings.rates;
  const window = { policy: "vault-reads", subject: String(playerId), limit };
  const { allowed, reset } = await ctx.limiter.take(window);
  // A reading started after this request includes all earlier payments.
  const begun = reads.get(factionId);
  if (begun && begun !== known) {
    if (allowed) await ctx.limiter.giveBack(window, arrived);
    return begun;
  }
  if (allowed) return startRead(ctx, factionId, () => ctx.limiter.giveBack(window, arrived));
  const message = `You read your faction's vault too often: at most ${limit} readings a minute for each member.`;
  throw TooManyRequests.because({
    message,
    details: { policy: window.policy, limit, reset },
    retryAfter: reset,
  });
}

function startRead(
  ctx: Context,
  factionId: number,
  giveBackCharge: () => Promise<void>,
): VaultRead {
  const reads = vaultReads(ctx);
  const readAt = ctx.now();
  const vault = askAboutVault(ctx, factionId, {
    priority: "guest",
    reads: selectionsOf.vaultBalance,
    call: (game, key) => game.factionBalance(key),
    concerns: (answer) => answer.factionId,
  }).then(
    async (answer) => {
      if (isComplete(answer)) await keepReading(ctx, { factionId, readAt }, answer);
      return answer;
    },
    async (error: unknown) => {
      if (isUncharged(error)) await giveBackCharge();
      throw error;
    },
  );
  const read = reads.set(factionId, { readAt, vault });
  const isCurrent = () => reads.get(factionId) === read;
  vault.then(
    () => isCurrent() && reads.set(factionId, read, readAt.getTime() + sharedFor),
    // The next member retries: another key may have calls left, or the game may be back.
    () => isCurrent() && reads.delete(factionId),
  );
  return read;
}

/** The answer is good even if it cannot be stored. */
async function keepReading(
  ctx: Context,
  of: { readonly factionId: number; readonly readAt: Date },
  { members }: FactionBalance,
): Promise<void> {
  const balances = members.map(({ playerId, money, points }) => ({ playerId, money, points }));
  try {
    await saveVaultReading(ctx.database.query, { ...of, balances });
  } catch (error) {
    const { factionId } = of;
    ctx.log.error({ factionId, error: describeError(error) }, "a vault reading was not stored");
  }
}

interface VaultQuestion<T> extends Omit<GameCall<T>, "key"> {
  readonly reads: readonly string[];
  /** The faction id in the answer, if any: the key's owner may have changed faction. */
  readonly concerns?: (answer: T) => number;
}

/** Bounds the latency of one request. */
const mostKeys = 5;

/**
 * Calls the game with a key of a member with vault access.
 * @throws UnknownFactionKey if no key is left, GameCallError
 */
export async function askAboutVault<T>(
  ctx: Context,
  factionId: number,
  asked: VaultQuestion<T>,
): Promise<T> {
  const { concerns, reads, ...question } = asked;
  let spent: GameCallError | undefined;
  const refused = new Set<string | null>();
  for (let tried = 1; tried <= mostKeys; tried++) {
    const key = await pickKey(ctx, { of: "faction", factionId, reads }, refused);
    if (!key) break;
    try {
      const answer = await callGame(ctx, { ...question, key });
      if (!concerns || concerns(answer) === factionId) return answer;
      await refreshPlayer(ctx, { playerId: key.playerId, key, priority: question.priority });
    } catch (error) {
      if (!isGameCallError(error)) throw error;
      if (isSpent(error)) spent = error;
      else if (isKeyRefused(error)) refused.add(key.id);
      else throw error;
    }
  }
  throw spent ?? UnknownFactionKey.because();
}

/**
 * Concurrent requests may pick the same key; retry with another, because the game was not called.
 */
const isSpent = ({ kind, selection }: GameCallError) =>
  kind === "owner-budget" && selection === undefined;
