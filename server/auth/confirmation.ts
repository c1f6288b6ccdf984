import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { isGameCallError } from "#server/game/game-call-error";
import { portalRefusal } from "#server/portal-refusal";
import { proveCode, tryCode } from "./second-factor/try-code";
import { isSignInRefused, signInRefused } from "./sign-in-refused";
import { chargeTry, isCounted, signInWindows } from "./sign-in-throttle";
import { refusalOfGameCallError } from "./sign-in-with-game-key";
import { confirmSession, isActiveKeyOf } from "./store";

const reason = "CONFIRMATION_WANTED";

type Clock = Pick<Context, "now" | "settings">;

/**
 * Whether the user proved by game key, second factor or passkey who they are, in this session and not too long ago.
 * @param at the moment that counts; by default the present
 */
export const isConfirmed = (ctx: Clock, { confirmedAt }: PortalUser, at = ctx.now()): boolean =>
  confirmedAt !== null && at.getTime() - confirmedAt.getTime() < ctx.settings.lifetimes.confirmation * 1_000;

/** @throws PortalRefusal CONFIRMATION_WANTED when the last proof is too old, or there was none */
export function assertConfirmed(ctx: Clock, user: PortalUser): void {
  if (!isConfirmed(ctx, user)) throw portalRefusal({ reason, status: 403, message: "Confirm it's you to continue." });
}

const keyForm = /^[A-Za-z0-9]{16}$/;

/**
 * Confirms that it is still the user who holds the session, by a code of their second factor.
 * @throws SignInRefused "wrong-code", "throttled", or "session-over"
 */
export async function confirmByCode(
  ctx: Context,
  user: PortalUser,
  { code, origin }: { readonly code: string; readonly origin: Origin },
): Promise<void> {
  const { accountId, sessionHash } = user;
  await tryCode(ctx, { accountId, code, origin }, async (tx) => {
    const by = await proveCode(ctx, tx, { accountId, code });
    if (!by) return undefined;
    const at = ctx.now();
    if (!(await confirmSession(tx, sessionHash, { confirmedAt: at, secondFactorAt: at })))
      throw signInRefused("session-over");
    await ctx.audit(tx, {
      act: "identity-confirmed",
      actor: `account:${accountId}`,
      accountId,
      origin,
      details: { by },
    });
    return true;
  });
}

/**
 * Confirms that it is still the user who holds the session, by a game key of theirs. It is compared and not stored. An account
 * with a second factor confirms by that: a key alone says less.
 * @throws SignInRefused with the reason
 */
export async function confirmByGameKey(
  ctx: Context,
  user: PortalUser,
  given: { readonly gameKey: string; readonly origin: Origin },
): Promise<void> {
  const { accountId, sessionHash } = user;
  const { origin } = given;
  const gameKey = given.gameKey.trim();
  const giveBack = await chargeTry(ctx, signInWindows(ctx.settings.rates, origin.address, `account:${accountId}`));
  const actor = `account:${accountId}`;
  try {
    if (user.secondFactor !== "off") throw signInRefused("code-wanted");
    if (!keyForm.test(gameKey)) throw signInRefused("malformed");
    if ((await ownerOf(ctx, user, gameKey)) !== user.playerId) throw signInRefused("key-of-another");
    await ctx.database.transaction(async (tx) => {
      if (!(await confirmSession(tx, sessionHash, { confirmedAt: ctx.now() }))) throw signInRefused("session-over");
      await ctx.audit(tx, { act: "identity-confirmed", actor, accountId, origin, details: { by: "game-key" } });
    });
    await giveBack();
  } catch (thrown) {
    if (!isSignInRefused(thrown) || !isCounted(thrown.reason)) await giveBack();
    if (isSignInRefused(thrown)) {
      const details = { reason: thrown.reason };
      await ctx.audit(ctx.database.query, { act: "confirmation-failed", actor, accountId, origin, details });
    }
    throw thrown;
  }
}

/** Whose key it is, by the game's word. While the game is away, a key that worked when it was last used is the user's. */
async function ownerOf(ctx: Context, { accountId, playerId }: PortalUser, gameKey: string): Promise<number> {
  try {
    return (await ctx.game.keyInfo(gameKey)).playerId;
  } catch (thrown) {
    if (!isGameCallError(thrown)) throw thrown;
    const reason = refusalOfGameCallError(thrown);
    const fingerprints = ctx.keyring.hmacs("game-key", gameKey).map(({ hash }) => hash);
    if (reason === "game-unavailable" && (await isActiveKeyOf(ctx.database.query, accountId, fingerprints)))
      return playerId;
    throw signInRefused(reason, { retryAfter: thrown.retryAfter, cause: thrown });
  }
}
