import type { AnonymousActor } from "#server/actor";
import { auditRefusal } from "#server/audit/audit-refusal";
import { backgroundContextOf, type Context } from "#server/context";
import { refreshAfterSignIn } from "#server/faction/read-factions";
import type { KeyInfo } from "#server/game/contract/user";
import {
  type GameCallError,
  type GameCallErrorKind,
  isGameCallError,
} from "#server/game/game-call-error";
import { bySection, selectionsByCall } from "#server/game/selections";
import { isGameKey } from "#server/game/transport";
import { enrolPlayer } from "#server/users/enrol-player";
import { cleanPastedKey, findStoredKey } from "#server/users/keys/own-keys";
import { finishSignIn, type SignInOutcome } from "./second-factor/second-step";
import {
  bannedRefusal,
  type SignInRefusal,
  type SignInRefused,
  signInRefused,
} from "./sign-in-refused";
import { chargeKeyCheck, runChargedTry, signInWindows } from "./sign-in-throttle";
import { findSignInState } from "./store";

interface GameKeySignIn {
  readonly gameKey: string;
  readonly previousSession: string | null;
}

/** Always opens a new session and ends the previous one. @throws SignInRefused */
export async function signInWithGameKey(
  ctx: Context,
  by: AnonymousActor,
  input: GameKeySignIn,
): Promise<SignInOutcome> {
  const gameKey = cleanPastedKey(input.gameKey);
  const key = ctx.keyring.hmac("game-key", gameKey).hash;
  const accountId = (await findStoredKey(ctx, gameKey))?.accountId ?? null;
  const subject = accountId ? `account:${accountId}` : `key:${key}`;
  const windows = signInWindows(ctx, by, subject);
  await chargeKeyCheck(ctx, subject);
  return runChargedTry(ctx, windows, {
    attempt: async () => {
      if (!isGameKey(gameKey)) throw signInRefused("malformed");
      return signInKeyOwner(ctx, by, { ...input, gameKey }).catch((thrown: unknown) => {
        throw isGameCallError(thrown) ? refusalOfGameError(thrown) : thrown;
      });
    },
    onRefused: ({ reason }) =>
      auditRefusal(ctx, by, "session.refused", { accountId, details: { reason, key } }),
  });
}

/** @throws SignInRefused "key-insufficient" or "banned", GameCallError */
async function signInKeyOwner(
  ctx: Context,
  { from }: AnonymousActor,
  { gameKey, previousSession }: GameKeySignIn,
): Promise<SignInOutcome> {
  const info = await ctx.game.keyInfo(gameKey);
  if (!isSufficientKey(info)) throw signInRefused("key-insufficient");
  const { playerId, factionId } = info;
  const before = await findSignInState(ctx.database.query, playerId);
  if (before?.bannedAt) throw bannedRefusal(before.bannedFor);

  const { accountId, key } = await enrolPlayer(ctx, { gameKey, info, from });
  const admitted = await ctx.database.transaction((tx) =>
    finishSignIn(ctx, tx, {
      kind: "player",
      accountId,
      playerId,
      from,
      factor: "game-key",
      previousSession,
      details: { key: ctx.keyring.hmac("game-key", gameKey).hash, first: !before?.lastSignInAt },
    }),
  );
  if (key) ctx.defer(() => refreshAfterSignIn(backgroundContextOf(ctx), { factionId, key }));
  return admitted;
}

const refusals: Partial<Record<GameCallErrorKind, SignInRefusal>> = {
  "key-dead": "wrong-key",
  "key-paused": "key-paused",
  "key-just-changed": "key-just-changed",
  "owner-unavailable": "owner-unavailable",
  "access-level": "key-insufficient",
  "private-selection": "key-insufficient",
};

export const refusalOfGameError = (cause: GameCallError): SignInRefused =>
  signInRefused(refusals[cause.kind] ?? "game-unavailable", {
    retryAfter: cause.retryAfter,
    cause,
  });

const customLevel = 0;

/** True for any level, and for a custom key with the selections of a player's record. */
export function isSufficientKey({
  level,
  selections,
}: Pick<KeyInfo, "level" | "selections">): boolean {
  if (level > customLevel) return true;
  return [...bySection(selectionsByCall.player)].every(([section, names]) =>
    names.every((name) => selections[section]?.includes(name)),
  );
}
