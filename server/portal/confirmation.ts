import { z } from "zod";
import { confirmByCode, confirmByGameKey, isConfirmed } from "#server/auth/confirmation";
import { router, userProcedure } from "#server/trpc/init";

/** "Confirm it's you": a new proof within a session that goes on. */
export const confirmationRouter = router({
  /** What the user's account confirms by, and whether that is still wanted. */
  show: userProcedure.query(({ ctx: { context, user } }) => ({
    by: user.secondFactor === "off" ? ("game-key" as const) : ("code" as const),
    confirmed: isConfirmed(context, user),
    secondFactorPassed: user.secondFactor === "passed",
  })),

  /** A refusal's reason is one of the words in `signInRefusals`. */
  withCode: userProcedure
    .input(z.object({ code: z.string().max(100) }))
    .mutation(({ ctx, input: { code } }) => confirmByCode(ctx.context, ctx.user, { code, origin: ctx.origin })),

  withGameKey: userProcedure
    .input(z.object({ gameKey: z.string().max(1_000) }))
    .mutation(({ ctx, input: { gameKey } }) =>
      confirmByGameKey(ctx.context, ctx.user, { gameKey, origin: ctx.origin }),
    ),
});
