import type { PortalUser } from "#server/actor";
import { finishSignIn } from "#server/auth/finish-sign-in";
import { beginSecondFactor, confirmSecondFactor } from "#server/auth/second-factor/second-factor-acts";
import type { ProvedAccount } from "#server/auth/start-session";
import type { Context } from "#server/context";
import { authenticatorApp } from "./authenticator-app";

/** Turns the second factor on for a user, as the account page does. The code that confirmed it was of the step before. */
export async function enableSecondFactor(ctx: Context, user: PortalUser) {
  const { secret } = await beginSecondFactor(ctx, user);
  const app = authenticatorApp(secret, ctx.now);
  const origin = { requestId: ctx.ids.request(), address: `confirm ${user.accountId}` };
  const { backupCodes } = await confirmSecondFactor(ctx, user, { code: app.code(-1), origin });
  return { secret, app, backupCodes };
}

/** Proves a user's first factor. @returns the token of the second step that waits then */
export async function proveFirstFactor(ctx: Context, user: PortalUser, more: Partial<ProvedAccount> = {}) {
  const { accountId, playerId } = user;
  const admitted = await ctx.database.transaction((tx) =>
    finishSignIn(ctx, tx, {
      accountId,
      playerId,
      by: "game-key",
      browser: { address: "192.0.2.7", userAgent: "Firefox" },
      previousSession: null,
      origin: { requestId: ctx.ids.request(), address: "192.0.2.7" },
      details: {},
      ...more,
    }),
  );
  if (admitted.kind !== "second-step") throw new Error("No second factor was asked for.");
  return admitted.secondStepToken;
}
