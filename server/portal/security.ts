import { z } from "zod";
import { confirmByCode, confirmByGameKey, isConfirmed } from "#server/auth/confirmation";
import { browserCookie } from "#server/auth/cookies";
import {
  addPasskey,
  beginPasskeyRegistration,
  maxPasskeys,
  PasskeyName,
  removePasskey,
  renamePasskey,
  showPasskeys,
  trustPasskey,
} from "#server/auth/passkeys/passkey-acts";
import {
  AnswerText,
  askForPasskey,
  type ChallengeRequest,
  confirmByPasskey,
  relyingPartyOf,
} from "#server/auth/passkeys/passkey-proof";
import {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  renewBackupCodes,
  showSecondFactor,
} from "#server/auth/second-factor/second-factor-acts";
import { boundedList, text } from "#server/platform/input-schemas";
import type { PortalContext } from "#server/trpc/portal-context";
import {
  confirmedProcedure,
  publicProcedure,
  resolverOf,
  router,
  userProcedure,
} from "#server/trpc/procedures";

export const confirmationRouter = router({
  show: userProcedure.query(async ({ ctx: { context, user } }) => {
    const { offered, passkeys } = await showPasskeys(context, user);
    return {
      by: user.secondFactor === "off" ? ("game-key" as const) : ("code" as const),
      /** True if a passkey suffices without a code. */
      byPasskey: offered && passkeys.some(({ wantsCode }) => !wantsCode),
      confirmed: isConfirmed(context, user),
      secondFactorPassed: user.secondFactor === "passed",
    };
  }),

  /** The refusal's reason is one of `signInRefusals`. */
  withCode: userProcedure.input(z.object({ code: text(100) })).mutation(resolverOf(confirmByCode)),

  withPasskey: userProcedure
    .input(z.object({ answer: AnswerText }))
    .mutation(({ ctx, input }) =>
      confirmByPasskey(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),

  withGameKey: userProcedure
    .input(z.object({ gameKey: text(1_000) }))
    .mutation(resolverOf(confirmByGameKey)),
});

const Code = z.object({ code: text(100) });

export const secondFactorRouter = router({
  show: userProcedure.query(resolverOf(showSecondFactor)),

  /** No other answer has the secret. */
  begin: confirmedProcedure.mutation(resolverOf(beginSecondFactor)),

  /** No other answer has the backup codes. */
  confirm: confirmedProcedure
    .input(Code.extend({ keep: boundedList(z.uuid(), { most: maxPasskeys }) }))
    .mutation(resolverOf(confirmSecondFactor)),

  disable: confirmedProcedure.input(Code).mutation(resolverOf(disableSecondFactor)),

  /** No other answer has the backup codes. */
  renewBackupCodes: confirmedProcedure.mutation(resolverOf(renewBackupCodes)),
});

export const passkeysRouter = router({
  /** Browsers make no passkeys for an IP address. */
  offered: publicProcedure.query(
    ({ ctx }) => relyingPartyOf(ctx.context.settings.baseUrl) !== undefined,
  ),

  beginSignIn: publicProcedure.mutation(({ ctx }) =>
    ask(ctx, { purpose: "sign-in", accountId: null }),
  ),

  beginConfirmation: userProcedure.mutation(({ ctx }) =>
    ask(ctx, { purpose: "confirmation", accountId: ctx.user.accountId }),
  ),

  show: userProcedure.query(resolverOf(showPasskeys)),

  /** The name is checked before the authenticator is used. */
  begin: confirmedProcedure
    .input(z.object({ name: PasskeyName }))
    .mutation(async ({ ctx }) =>
      optionsFor(
        ctx,
        await beginPasskeyRegistration(ctx.context, ctx.user, { browserId: ctx.browserId }),
      ),
    ),

  add: confirmedProcedure
    .input(z.object({ answer: AnswerText, name: PasskeyName }))
    .mutation(({ ctx, input }) =>
      addPasskey(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),

  rename: confirmedProcedure
    .input(z.object({ id: z.uuid(), name: PasskeyName }))
    .mutation(resolverOf(renamePasskey)),

  trust: confirmedProcedure.input(z.object({ id: z.uuid() })).mutation(resolverOf(trustPasskey)),

  remove: confirmedProcedure.input(z.object({ id: z.uuid() })).mutation(resolverOf(removePasskey)),
});

async function ask(ctx: PortalContext, wanted: Pick<ChallengeRequest, "purpose" | "accountId">) {
  const { browserId, from } = ctx;
  return optionsFor(
    ctx,
    await askForPasskey(ctx.context, { ...wanted, browserId, address: from.address }),
  );
}

function optionsFor<Options>(
  { context, setCookie }: PortalContext,
  asked: { readonly options: Options; readonly browserId: string },
): Options {
  setCookie(browserCookie(asked.browserId, context.settings.https));
  return asked.options;
}
