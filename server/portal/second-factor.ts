import { z } from "zod";
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewBackupCodes,
  showSecondFactor,
} from "#server/auth/second-factor/second-factor-acts";
import { confirmedProcedure } from "#server/trpc/confirmed-procedure";
import { router, userProcedure } from "#server/trpc/init";

const Code = z.object({ code: z.string().max(100) });

/** What signing in asks for besides the first proof. */
export const secondFactorRouter = router({
  show: userProcedure.query(({ ctx }) => showSecondFactor(ctx.context, ctx.user)),

  /** The answer holds the new secret, this once. */
  begin: confirmedProcedure.mutation(({ ctx }) => beginSecondFactor(ctx.context, ctx.user)),

  /** The answer holds the backup codes, this once. */
  confirm: confirmedProcedure
    .input(Code)
    .mutation(({ ctx, input: { code } }) => confirmSecondFactor(ctx.context, ctx.user, { code, origin: ctx.origin })),

  disable: confirmedProcedure
    .input(Code)
    .mutation(({ ctx, input: { code } }) => disableSecondFactor(ctx.context, ctx.user, { code, origin: ctx.origin })),

  /** The answer holds the new backup codes, this once. */
  renewBackupCodes: confirmedProcedure.mutation(({ ctx }) => renewBackupCodes(ctx.context, ctx.user, ctx.origin)),
});
