import { z } from "zod";
import { beginSecondFactor } from "#server/auth/second-factor/begin-second-factor";
import { confirmSecondFactor } from "#server/auth/second-factor/confirm-second-factor";
import { disableSecondFactor } from "#server/auth/second-factor/disable-second-factor";
import { renewBackupCodes } from "#server/auth/second-factor/renew-backup-codes";
import { showSecondFactor } from "#server/auth/second-factor/show-second-factor";
import { freshProcedure } from "#server/trpc/fresh-procedure";
import { router, userProcedure } from "#server/trpc/init";
import { refusedSignIn } from "./refused-sign-in";

const Code = z.object({ code: z.string().max(100) });

/** What signing in asks for besides the first proof. */
export const secondFactorRouter = router({
  show: userProcedure.query(({ ctx }) => showSecondFactor(ctx.context, ctx.user)),

  /** The answer holds the new secret, this once. */
  begin: freshProcedure.mutation(({ ctx }) => beginSecondFactor(ctx.context, ctx.user)),

  /** The answer holds the backup codes, this once. */
  confirm: freshProcedure
    .input(Code)
    .mutation(({ ctx, input: { code } }) =>
      confirmSecondFactor(ctx.context, ctx.user, { code, origin: ctx.origin }).catch(refusedSignIn),
    ),

  disable: freshProcedure
    .input(Code)
    .mutation(({ ctx, input: { code } }) =>
      disableSecondFactor(ctx.context, ctx.user, { code, origin: ctx.origin }).catch(refusedSignIn),
    ),

  /** The answer holds the new backup codes, this once. */
  renewBackupCodes: freshProcedure.mutation(({ ctx }) => renewBackupCodes(ctx.context, ctx.user, ctx.origin)),
});
