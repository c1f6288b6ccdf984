import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { isGameCallError, isOutage } from "#server/game/game-call-error";
import { isGameKey } from "#server/game/transport";
import type { LimitWindow } from "#server/platform/limiter/limiter";
import { secondMs } from "#server/platform/time";
import { portalRefusal } from "#server/portal-refusal";
import { cleanPastedKey, findStoredKey } from "#server/users/keys/own-keys";
import { tryCode, verifyCode } from "./second-factor/try-code";
import { type SignInRefusal, signInRefused } from "./sign-in-refused";
import { chargeKeyCheck, runChargedTry, signInWindows } from "./sign-in-throttle";
import { refusalOfGameError } from "./sign-in-with-game-key";
import { markSessionConfirmed } from "./store";

const reason = "CONFIRMATION_WANTED";

type Clock = Pick<Context, "now" | "settings">;

export const isConfirmed = (ctx: Clock, { confirmedAt }: PortalUser, at = ctx.now()): boolean =>
  confirmedAt !== null &&
  at.getTime() - confirmedAt.getTime() < ctx.settings.lifetimes.confirmation * secondMs;

/** @throws PortalRefusal CONFIRMATION_WANTED */
export function assertConfirmed(ctx: Clock, user: PortalUser): void {
  if (!isConfirmed(ctx, user))
    throw portalRefusal({ reason, status: 403, message: "Confirm it's you to continue." });
}

/** @throws SignInRefused */
export async function confirmByCode(
  ctx: Context,
  by: PortalUser,
  { code }: { code: string },
): Promise<void> {
  await tryCode(ctx, by, { code }, async (tx) => {
    const factor = await verifyCode(ctx, tx, { accountId: by.accountId, code });
    if (!factor) return undefined;
    await noteConfirmed(ctx, tx, by, factor);
    return true;
  });
}

/**
 * Every factor except a game key also passes the second factor. @throws SignInRefused
 * "session-over"
 */
export async function noteConfirmed(
  ctx: Context,
  tx: Queryable,
  by: PortalUser,
  factor: "game-key" | "passkey" | "totp" | "backup-code",
): Promise<void> {
  const confirmedAt = ctx.now();
  const passed = factor === "game-key" ? {} : { secondFactorAt: confirmedAt };
  if (!(await markSessionConfirmed(tx, by.sessionHash, { confirmedAt, ...passed })))
    throw signInRefused("session-over");
  await ctx.audit(tx, by, "confirmation.accepted", { details: { by: factor } });
}

export const tryToConfirm = (
  ctx: Context,
  by: PortalUser,
  tried: {
    windows: readonly LimitWindow[];
    attempt: () => Promise<void>;
    onRefused?: (reason: SignInRefusal) => Promise<void>;
  },
): Promise<void> =>
  runChargedTry(ctx, tried.windows, {
    attempt: tried.attempt,
    onRefused: async ({ reason }) => {
      await ctx.audit(ctx.database.query, by, "confirmation.refused", { details: { reason } });
      await tried.onRefused?.(reason);
    },
  });

/** Refused for accounts with a second factor, which proves more. @throws SignInRefused */
export async function confirmByGameKey(
  ctx: Context,
  by: PortalUser,
  given: { gameKey: string },
): Promise<void> {
  const gameKey = cleanPastedKey(given.gameKey);
  const subject = `account:${by.accountId}`;
  const windows = signInWindows(ctx, by, subject);
  await chargeKeyCheck(ctx, subject);
  await tryToConfirm(ctx, by, {
    windows,
    attempt: async () => {
      if (by.secondFactor !== "off") throw signInRefused("code-wanted");
      if (!isGameKey(gameKey)) throw signInRefused("malformed");
      if ((await ownerOf(ctx, by, gameKey)) !== by.playerId) throw signInRefused("key-of-another");
      await ctx.database.transaction((tx) => noteConfirmed(ctx, tx, by, "game-key"));
    },
  });
}

/** While the game is unavailable, a stored key that worked at its last use counts. */
async function ownerOf(
  ctx: Context,
  { accountId, playerId }: PortalUser,
  gameKey: string,
): Promise<number> {
  try {
    return (await ctx.game.keyInfo(gameKey)).playerId;
  } catch (thrown) {
    if (!isGameCallError(thrown)) throw thrown;
    // An exhausted call budget does not count: an attacker could exhaust it to get a deleted key
    // accepted.
    const isAway = isOutage(thrown.kind) && thrown.kind !== "ip-block";
    const known = isAway && (await findStoredKey(ctx, gameKey));
    if (known && known.accountId === accountId && known.state === "active") return playerId;
    throw refusalOfGameError(thrown);
  }
}
