import type { Context } from "#server/context";
import { isGameError } from "#server/game/game-error";
import type { Admitted } from "./admit-account";
import { admitKeyOwner } from "./admit-key-owner";
import type { GameKeySignIn } from "./game-key-sign-in";
import { refusalOfGameError } from "./refusal-of-game-error";
import { isSignInRefused, type SignInRefused, signInRefused } from "./sign-in-refused";
import { chargeTry, isCounted, signInWindows } from "./sign-in-throttle";
import { findAccountOfKey } from "./store";

const keyForm = /^[A-Za-z0-9]{16}$/;

/**
 * Signs a player in with a key of theirs, or asks for the second factor where the account has one. The game says whose key it
 * is; the key is kept, sealed, for refreshes.
 * Signing in once more, as the same player or another, always opens a new session and ends the old one.
 * @throws SignInRefused with the reason
 */
export async function signInWithGameKey(ctx: Context, input: GameKeySignIn): Promise<Admitted> {
  const gameKey = input.gameKey.trim();
  const fingerprints = ctx.keyring.fingerprints("game-key", gameKey).map(({ hash }) => hash);
  const accountId = await findAccountOfKey(ctx.database.query, fingerprints);
  const windows = signInWindows(
    ctx.settings.rates,
    input.origin.address,
    accountId ? `account:${accountId}` : `key:${fingerprints[0]}`,
  );
  const giveBack = await chargeTry(ctx, windows);
  try {
    if (!keyForm.test(gameKey)) throw signInRefused("malformed");
    const signedIn = await admitKeyOwner(ctx, { ...input, gameKey });
    await giveBack();
    return signedIn;
  } catch (thrown) {
    const refused = asRefusal(thrown);
    if (!refused || !isCounted(refused.reason)) await giveBack();
    if (!refused) throw thrown;
    await ctx.audit(ctx.database.query, {
      act: "sign-in-failed",
      actor: "anonymous",
      accountId: accountId ?? null,
      origin: input.origin,
      details: { reason: refused.reason, key: fingerprints[0] ?? null },
    });
    throw refused;
  }
}

function asRefusal(thrown: unknown): SignInRefused | undefined {
  if (isSignInRefused(thrown)) return thrown;
  if (!isGameError(thrown)) return undefined;
  return signInRefused(refusalOfGameError(thrown), { retryAfter: thrown.retryAfter, cause: thrown });
}
