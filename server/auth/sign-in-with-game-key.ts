import type { AnonymousActor } from "#server/actor";
import { auditRefusal } from "#server/audit/audit-refusal";
import { type Context, inBackground } from "#server/context";
import { refreshAfterSignIn } from "#server/faction/refresh-after-sign-in";
import type { KeyInfo } from "#server/game/contract/user";
import {
  type GameCallError,
  type GameCallErrorKind,
  isGameCallError,
} from "#server/game/game-call-error";
import { bySection, selectionsOf } from "#server/game/selections";
import { enrolPlayer } from "#server/users/enrol-player";
import { cleanPastedKey } from "#server/users/keys/pasted-key";
import { finishSignIn, type SignInOutcome } from "./second-factor/second-step";
import { bannedRefusal, type SignInRefusal, signInRefused } from "./sign-in-refused";
import { chargedTry, chargeQuestion, signInWindows } from "./sign-in-throttle";
import { findAccountOfKey, findSignIn } from "./store";

export interface GameKeySignIn {
  readonly gameKey: string;
  readonly previousSession: string | null;
}

const keyForm = /^[A-Za-z0-9]{16}$/;

/**
 * Always opens a new session and ends the old one; keeps the key, sealed, for refreshes.
 * @throws SignInRefused with the reason
 */
export async function signInWithGameKey(
  ctx: Context,
  by: AnonymousActor,
  input: GameKeySignIn,
): Promise<SignInOutcome> {
  const gameKey = cleanPastedKey(input.gameKey);
  const keyHmacs = ctx.keyring.hmacs("game-key", gameKey).map(({ hash }) => hash);
  const accountId = await findAccountOfKey(ctx.database.query, keyHmacs);
  const subject = accountId ? `account:${accountId}` : `key:${keyHmacs[0]}`;
  const windows = signInWindows(ctx.settings.rates, by.from.address, subject);
  await chargeQuestion(ctx, subject);
  return chargedTry(ctx, windows, {
    attempt: async () => {
      if (!keyForm.test(gameKey)) throw signInRefused("malformed");
      return signInKeyOwner(ctx, by, { ...input, gameKey }).catch(refuseForGame);
    },
    onRefused: ({ reason }) =>
      auditRefusal(ctx, by, "session.refused", {
        accountId: accountId ?? null,
        details: { reason, key: keyHmacs[0] ?? null },
      }),
  });
}

function refuseForGame(thrown: unknown): never {
  if (!isGameCallError(thrown)) throw thrown;
  throw signInRefused(refusalOfGameCallError(thrown), {
    retryAfter: thrown.retryAfter,
    cause: thrown,
  });
}

/**
 * Even if another player is signed in.
 * @throws SignInRefused "key-insufficient" or "banned", GameCallError
 */
export async function signInKeyOwner(
  ctx: Context,
  { from }: AnonymousActor,
  { gameKey, previousSession }: GameKeySignIn,
): Promise<SignInOutcome> {
  const info = await ctx.game.keyInfo(gameKey);
  if (!isSufficientKey(info)) throw signInRefused("key-insufficient");
  const { playerId, factionId } = info;
  const before = await findSignIn(ctx.database.query, playerId);
  if (before?.bannedAt) throw bannedRefusal(before.bannedFor);

  const { account, key } = await enrolPlayer(ctx, { gameKey, info, from });
  const admitted = await ctx.database.transaction((tx) =>
    finishSignIn(ctx, tx, {
      ...{ kind: "player", accountId: account.accountId, playerId, from },
      ...{ factor: "game-key", previousSession },
      details: { key: ctx.keyring.hmac("game-key", gameKey).hash, first: !before?.lastSignInAt },
    }),
  );
  if (key) ctx.defer(() => refreshAfterSignIn(inBackground(ctx), { factionId, key }));
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

export const refusalOfGameCallError = (error: GameCallError): SignInRefusal =>
  refusals[error.kind] ?? "game-unavailable";

const customLevel = 0;

/** Any level, or a custom key with the selections of a player's record. */
export function isSufficientKey({
  level,
  selections,
}: Pick<KeyInfo, "level" | "selections">): boolean {
  if (level > customLevel) return true;
  return [...bySection(selectionsOf.player)].every(([section, names]) =>
    names.every((name) => selections[section]?.includes(name)),
  );
}
