import { z } from "zod";
import { confirmByCode, confirmByGameKey, isConfirmed } from "#server/auth/confirmation";
import { AnswerText } from "#server/auth/passkeys/challenge";
import { mostPasskeys, showPasskeys } from "#server/auth/passkeys/passkey-acts";
import { confirmByPasskey } from "#server/auth/passkeys/passkey-proof";
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewBackupCodes,
  showSecondFactor,
} from "#server/auth/second-factor/second-factor-acts";
import { boundedList } from "#server/platform/bounded-list";
import { text } from "#server/platform/input-schemas";
import { confirmedProcedure } from "#server/trpc/confirmed-procedure";
import { calling, router, userProcedure } from "#server/trpc/init";

/** A new proof within the session. */
export const confirmationRouter = router({
  show: userProcedure.query(async ({ ctx: { context, user } }) => {
    const { offered, passkeys } = await showPasskeys(context, user);
    return {
      by: user.secondFactor === "off" ? ("game-key" as const) : ("code" as const),
      /** True if a passkey suffices. */
      byPasskey: offered && passkeys.some(({ wantsCode }) => !wantsCode),
      confirmed: isConfirmed(context, user),
      secondFactorPassed: user.secondFactor === "passed",
    };
  }),

  /** The refusal's reason is one of `signInRefusals`. */
  withCode: userProcedure.input(z.object({ code: text(100) })).mutation(calling(confirmByCode)),

  withPasskey: userProcedure
    .input(z.object({ answer: AnswerText }))
    .mutation(({ ctx, input }) =>
      confirmByPasskey(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),

  withGameKey: userProcedure
    .input(z.object({ gameKey: text(1_000) }))
    .mutation(calling(confirmByGameKey)),
});

const Code = z.object({ code: text(100) });

export const secondFactorRouter = router({
  show: userProcedure.query(calling(showSecondFactor)),

  /** The only answer with the secret. */
  begin: confirmedProcedure.mutation(calling(beginSecondFactor)),

  /** The only answer with the backup codes. */
  confirm: confirmedProcedure
    .input(Code.extend({ keep: boundedList(z.uuid(), { most: mostPasskeys }) }))
    .mutation(calling(confirmSecondFactor)),

  disable: confirmedProcedure.input(Code).mutation(calling(disableSecondFactor)),

  /** The only answer with the backup codes. */
  renewBackupCodes: confirmedProcedure.mutation(calling(renewBackupCodes)),
});
