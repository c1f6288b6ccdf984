import type { TRPCError } from "@trpc/server";
import { z } from "zod";
import { sessionCookie } from "#server/auth/cookies";
import { safeNext } from "#server/auth/safe-next";
import { isSignInRefused, type SignInRefusal, type SignInRefused } from "#server/auth/sign-in-refused";
import { signInWithGameKey } from "#server/auth/sign-in-with-game-key";
import { demoPeople } from "#server/game/simulator/demo-people";
import { describeWaiting } from "#server/oauth/authorize/describe-waiting";
import { resumeRequest } from "#server/oauth/authorize/resume-request";
import { isRequestFailure } from "#server/oauth/request-failure";
import { type PortalContext, publicProcedure, router } from "#server/trpc/init";
import { refusal } from "#server/trpc/refusal";

const GameKeySignIn = z.object({
  gameKey: z.string().max(1_000),
  /** A path of the portal to go on to. */
  next: z.string().optional(),
  /** The parked authorization request that sent the player here. */
  requestId: z.uuid().optional(),
});

export const signInRouter = router({
  /**
   * Signs in with a game key: the session goes into the cookie, and the answer says where to go on.
   * A refusal's reason is one of the words in `signInRefusals`.
   */
  withGameKey: publicProcedure.input(GameKeySignIn).mutation(async ({ ctx, input }) => {
    const { context, origin } = ctx;
    const { sessionToken, user } = await signInWithGameKey(context, {
      gameKey: input.gameKey,
      browser: { address: origin.address, userAgent: ctx.userAgent },
      previousSession: ctx.sessionToken,
      origin,
    }).catch((thrown: unknown) => {
      throw isSignInRefused(thrown) ? refused(thrown) : thrown;
    });
    ctx.setCookie(sessionCookie(sessionToken, context.settings.https));
    return { location: input.requestId ? await onward(ctx, user, input.requestId) : safeNext(input.next) };
  }),

  /** The request that waits for the sign-in; null where none does, or another browser started it. */
  waiting: publicProcedure
    .input(z.object({ requestId: z.string().max(100) }))
    .query(({ ctx, input }) => describeWaiting(ctx.context, { ...input, browserId: ctx.browserId })),

  /** The players that anybody may sign in as; none outside the demo. */
  demoPlayers: publicProcedure.query(({ ctx }) => (ctx.context.settings.demo ? demoPeople : [])),
});

const refused = (thrown: SignInRefused) =>
  refusal({ code: codes[thrown.reason] ?? "UNAUTHORIZED", ...wordsOf(thrown), cause: thrown });

const wordsOf = ({ reason, message, retryAfter }: SignInRefused) => ({ reason, message, retryAfter });

const codes: Partial<Record<SignInRefusal, TRPCError["code"]>> = {
  throttled: "TOO_MANY_REQUESTS",
  "game-unavailable": "SERVICE_UNAVAILABLE",
};

/** To the consent page, or past it where a remembered consent answers the request. */
async function onward(ctx: PortalContext, user: NonNullable<PortalContext["user"]>, requestId: string) {
  try {
    const onward = await resumeRequest(ctx.context, { requestId, browserId: ctx.browserId, user, origin: ctx.origin });
    return onward.kind === "redirect" ? onward.location : `/consent/${requestId}`;
  } catch (thrown) {
    // The consent page says what became of the request, and how to go on.
    if (isRequestFailure(thrown)) return `/consent/${requestId}`;
    throw thrown;
  }
}
