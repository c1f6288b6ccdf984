import type { Context } from "#server/context";
import { refreshAfterSignIn } from "#server/faction/refresh-after-sign-in";
import { enrolPlayer } from "#server/users/enrol-player";
import type { GameKeySignIn, SignedIn } from "./game-key-sign-in";
import { closeSession, openSession } from "./sessions";
import { signInRefused } from "./sign-in-refused";
import { findSignIn, noteSignIn } from "./store";
import { isSufficientKey } from "./sufficient-key";

/**
 * Lets the owner of a key in: the game names the owner, who gets an account at the first time, and a session.
 * The key goes to its owner's account, whoever is signed in meanwhile.
 * @throws SignInRefused "key-insufficient" or "banned", GameError when the game refuses or fails
 */
export async function admitKeyOwner(ctx: Context, input: GameKeySignIn): Promise<SignedIn> {
  const { gameKey, origin } = input;
  const info = await ctx.game.keyInfo(gameKey);
  if (!isSufficientKey(info)) throw signInRefused("key-insufficient");
  const { playerId, factionId } = info;
  const before = await findSignIn(ctx.database.query, playerId);
  if (before?.bannedAt) throw signInRefused("banned");

  const { account, key } = await enrolPlayer(ctx, { gameKey, info, origin });
  const { accountId } = account;
  const session = await ctx.database.transaction(async (tx) => {
    // A ban may have come while the game was asked.
    if (!(await noteSignIn(tx, accountId, ctx.now()))) throw signInRefused("banned");
    if (input.previousSession !== null) await closeSession(ctx, tx, input.previousSession);
    await ctx.audit(tx, {
      act: "sign-in",
      actor: `account:${accountId}`,
      accountId,
      origin,
      details: {
        method: "game-key",
        key: ctx.keyring.fingerprint("game-key", gameKey).hash,
        first: !before?.lastSignInAt,
      },
    });
    return openSession(ctx, tx, { accountId, browser: input.browser });
  });

  if (key) ctx.defer(() => refreshAfterSignIn(ctx, { factionId, key }));
  const { sessionHash, authenticatedAt } = session;
  const admin = ctx.settings.adminUserIds.includes(playerId);
  return {
    sessionToken: session.token,
    user: { kind: "portal", accountId, playerId, sessionHash, authenticatedAt, admin },
  };
}
