import { z } from "zod";
import { browserCookie } from "#server/auth/cookies";
import { AnswerText, type ChallengeFor, relyingPartyOf } from "#server/auth/passkeys/challenge";
import {
  addPasskey,
  beginPasskey,
  PasskeyName,
  removePasskey,
  renamePasskey,
  showPasskeys,
  trustPasskey,
} from "#server/auth/passkeys/passkey-acts";
import { askForPasskey } from "#server/auth/passkeys/passkey-proof";
import { confirmedProcedure } from "#server/trpc/confirmed-procedure";
import { calling, publicProcedure, router, userProcedure } from "#server/trpc/init";
import type { PortalContext } from "#server/trpc/portal-context";

export const passkeysRouter = router({
  /** Browsers make no passkeys for an IP address. */
  offered: publicProcedure.query(
    ({ ctx }) => relyingPartyOf(ctx.context.settings.baseUrl) !== undefined,
  ),

  /** For `navigator.credentials.get`; its result goes to `signIn.withPasskey`. */
  beginSignIn: publicProcedure.mutation(({ ctx }) =>
    ask(ctx, { purpose: "sign-in", accountId: null }),
  ),

  /** For `confirmation.withPasskey`. */
  beginConfirmation: userProcedure.mutation(({ ctx }) =>
    ask(ctx, { purpose: "confirmation", accountId: ctx.user.accountId }),
  ),

  show: userProcedure.query(calling(showPasskeys)),

  /** For `navigator.credentials.create`. The name is checked before the authenticator is used. */
  begin: confirmedProcedure
    .input(z.object({ name: PasskeyName }))
    .mutation(async ({ ctx }) =>
      optionsFor(ctx, await beginPasskey(ctx.context, ctx.user, { browserId: ctx.browserId })),
    ),

  add: confirmedProcedure
    .input(z.object({ answer: AnswerText, name: PasskeyName }))
    .mutation(({ ctx, input }) =>
      addPasskey(ctx.context, ctx.user, { ...input, browserId: ctx.browserId }),
    ),

  rename: confirmedProcedure
    .input(z.object({ id: z.uuid(), name: PasskeyName }))
    .mutation(calling(renamePasskey)),

  trust: confirmedProcedure.input(z.object({ id: z.uuid() })).mutation(calling(trustPasskey)),

  remove: confirmedProcedure.input(z.object({ id: z.uuid() })).mutation(calling(removePasskey)),
});

async function ask(ctx: PortalContext, wanted: Pick<ChallengeFor, "purpose" | "accountId">) {
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
