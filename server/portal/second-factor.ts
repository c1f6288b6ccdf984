import { z } from "zod";
import { beginSecondFactor } from "#server/auth/second-factor/begin-second-factor";
import { confirmSecondFactor } from "#server/auth/second-factor/confirm-second-factor";
import { disableSecondFactor } from "#server/auth/second-factor/disable-second-factor";
import { renewBackupCodes } from "#server/auth/second-factor/renew-backup-codes";
import { showSecondFactor } from "#server/auth/second-factor/show-second-factor";
import { confirmedProcedure } from "#server/trpc/confirmed-procedure";
import { router, userProcedure } from "#server/trpc/init";
import { refusedSignIn } from "./refused-sign-in";

const Code = z.object({ code: z.string().max(100) });

/** What signing in asks for besides the first proof. */
export const secondFactorRouter = router({
  show: userProcedure.query(({ ctx }) => showSecondFactor(ctx.context, ctx.user)),

  /** The answer holds the new secret, this once. */
  begin: confirmedProcedure.mutation(({ ctx }) => beginSecondFactor(ctx.context, ctx.user)),

  /** The answer holds the backup codes, this once. */
  confirm: confirmedProcedure
    .input(Code)
    .mutation(({ ctx, input: { code } }) =>
      confirmSecondFactor(ctx.context, ctx.user, { code, origin: ctx.origin }).catch(refusedSignIn),
    ),

  disable: confirmedProcedure
    .input(Code)
    .mutation(({ ctx, input: { code } }) =>
      disableSecondFactor(ctx.context, ctx.user, { code, origin: ctx.origin }).catch(refusedSignIn),
    ),

  /** The answer holds the new backup codes, this once. */
  renewBackupCodes: confirmedProcedure.mutation(({ ctx }) => renewBackupCodes(ctx.context, ctx.user, ctx.origin)),
});
