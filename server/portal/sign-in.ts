import { z } from "zod";
import { anonymous } from "#server/actor";
import { AnswerText } from "#server/auth/passkeys/challenge";
import { signInWithPasskey } from "#server/auth/passkeys/passkey-proof";
import { completeSecondStep, describeSecondStep } from "#server/auth/second-factor/second-step";
import { signInWithGameKey } from "#server/auth/sign-in-with-game-key";
import { allPurposes } from "#server/game/selections";
import { describeWaiting } from "#server/oauth/authorize/show-request";
import { boundedList } from "#server/platform/bounded-list";
import { text } from "#server/platform/input-schemas";
import { completeSignIn, countSignIn, Destination } from "#server/portal/complete-sign-in";
import { scopeNames } from "#server/scopes";
import { publicProcedure, router } from "#server/trpc/init";
import { describeNewKey } from "#server/users/keys/new-key";
import { demoPeople } from "#simulator/demo-people";

export const signInRouter = router({
  /** The refusal's reason is one of `signInRefusals`. */
  withGameKey: publicProcedure
    .input(Destination.extend({ gameKey: text(1_000) }))
    .mutation(async ({ ctx, input }) => {
      const { context, from, sessionToken: previousSession } = ctx;
      const given = { gameKey: input.gameKey, previousSession };
      const trying = signInWithGameKey(context, anonymous(from), given);
      return completeSignIn(ctx, await countSignIn(context, "game-key", trying), input);
    }),

  withPasskey: publicProcedure
    .input(Destination.extend({ answer: AnswerText }))
    .mutation(async ({ ctx, input }) => {
      const { context, from, sessionToken: previousSession } = ctx;
      const given = { answer: input.answer, browserId: ctx.browserId, previousSession };
      const trying = signInWithPasskey(context, anonymous(from), given);
      return completeSignIn(ctx, await countSignIn(context, "passkey", trying), input);
    }),

  withCode: publicProcedure
    .input(Destination.extend({ code: text(100) }))
    .mutation(async ({ ctx, input }) => {
      const { context, from, secondStepToken: token, sessionToken: previousSession } = ctx;
      const given = { code: input.code, token, previousSession };
      const trying = completeSecondStep(context, anonymous(from), given);
      return completeSignIn(ctx, await countSignIn(context, "second-factor", trying), input);
    }),

  secondStep: publicProcedure.query(({ ctx }) =>
    describeSecondStep(ctx.context, ctx.secondStepToken),
  ),

  /** Null if another browser started it. */
  waiting: publicProcedure
    .input(z.object({ requestId: text(20_000) }))
    .query(({ ctx, input }) =>
      describeWaiting(ctx.context, { ...input, browserId: ctx.browserId }),
    ),

  newKey: publicProcedure
    .input(
      z.object({
        purposes: boundedList(z.enum(allPurposes), { most: allPurposes.length }).optional(),
        scopes: boundedList(z.enum(scopeNames), { most: scopeNames.length }).optional(),
      }),
    )
    .query(({ ctx, input }) => describeNewKey(ctx.context, ctx.user, input)),

  /** Empty outside of the demo. */
  demoPlayers: publicProcedure.query(({ ctx }) =>
    ctx.context.settings.demo === "off" ? [] : demoPeople,
  ),
});
