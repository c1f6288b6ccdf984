import { z } from "zod";
import { confirmByCode, confirmByGameKey, isConfirmed } from "#server/auth/confirmation";
import { AnswerText } from "#server/auth/passkeys/answers";
import { confirmByPasskey } from "#server/auth/passkeys/confirm-by-passkey";
import { showPasskeys } from "#server/auth/passkeys/passkey-acts";
import { router, userProcedure } from "#server/trpc/init";
import { browserOf } from "./passkeys";

/** "Confirm it's you": a new proof within a session that goes on. */
export const confirmationRouter = router({
  /** What the user's account confirms by, and whether that is still wanted. */
  show: userProcedure.query(async ({ ctx: { context, user } }) => {
    const { offered, passkeys } = await showPasskeys(context, user);
    return {
      by: user.secondFactor === "off" ? ("game-key" as const) : ("code" as const),
      /** Whether a passkey does as well. */
      byPasskey: offered && passkeys.length > 0,
      confirmed: isConfirmed(context, user),
      secondFactorPassed: user.secondFactor === "passed",
    };
  }),

  /** A refusal's reason is one of the words in `signInRefusals`. */
  withCode: userProcedure
    .input(z.object({ code: z.string().max(100) }))
    .mutation(({ ctx, input: { code } }) => confirmByCode(ctx.context, ctx.user, { code, origin: ctx.origin })),

  withPasskey: userProcedure
    .input(z.object({ answer: AnswerText }))
    .mutation(({ ctx, input: { answer } }) =>
      confirmByPasskey(ctx.context, ctx.user, { answer, ...browserOf(ctx), origin: ctx.origin }),
    ),

  withGameKey: userProcedure
    .input(z.object({ gameKey: z.string().max(1_000) }))
    .mutation(({ ctx, input: { gameKey } }) =>
      confirmByGameKey(ctx.context, ctx.user, { gameKey, origin: ctx.origin }),
    ),
});
