import type { Context } from "#server/context";
import { refreshAfterSignIn } from "#server/faction/refresh-after-sign-in";
import { enrolPlayer } from "#server/users/enrol-player";
import { type Admitted, admitAccount } from "./admit-account";
import { bannedRefusal } from "./banned-refusal";
import type { GameKeySignIn } from "./game-key-sign-in";
import { signInRefused } from "./sign-in-refused";
import { findSignIn } from "./store";
import { isSufficientKey } from "./sufficient-key";

/**
 * Lets the owner of a key in: the game names the owner, who gets an account at the first time, and a session once all is proved.
 * The key goes to its owner's account, whoever is signed in meanwhile.
 * @throws SignInRefused "key-insufficient" or "banned", GameError when the game refuses or fails
 */
export async function admitKeyOwner(ctx: Context, input: GameKeySignIn): Promise<Admitted> {
  const { gameKey, origin } = input;
  const info = await ctx.game.keyInfo(gameKey);
  if (!isSufficientKey(info)) throw signInRefused("key-insufficient");
  const { playerId, factionId } = info;
  const before = await findSignIn(ctx.database.query, playerId);
  if (before?.bannedAt) throw bannedRefusal(before.bannedFor);

  const { account, key } = await enrolPlayer(ctx, { gameKey, info, origin });
  const admitted = await ctx.database.transaction((tx) =>
    admitAccount(ctx, tx, {
      accountId: account.accountId,
      playerId,
      by: "game-key",
      browser: input.browser,
      previousSession: input.previousSession,
      origin,
      details: { key: ctx.keyring.fingerprint("game-key", gameKey).hash, first: !before?.lastSignInAt },
    }),
  );
  if (key) ctx.defer(() => refreshAfterSignIn(ctx, { factionId, key }));
  return admitted;
}
