import { z } from "zod";
import { confirmByCode, confirmByGameKey, isConfirmed } from "#server/auth/confirmation";
import { endedSessionCookie } from "#server/auth/cookies";
import { AnswerText } from "#server/auth/passkeys/answers";
import { confirmByPasskey } from "#server/auth/passkeys/confirm-by-passkey";
import { showPasskeys } from "#server/auth/passkeys/passkey-acts";
import { endOtherSessions, endSession, listSessions, signOut } from "#server/auth/session-acts";
import { countOwnUnread } from "#server/notices/notices";
import { publicProcedure, router, userProcedure } from "#server/trpc/init";
import { showPlayer } from "#server/users/accounts/show-player";
import { browserOf } from "./passkeys";

/** Who is signed in, and where. */
export const sessionRouter = router({
  /** Who is signed in; null for nobody. */
  current: publicProcedure.query(async ({ ctx }) => {
    if (!ctx.user) return null;
    const [player, unreadNotices] = await Promise.all([
      showPlayer(ctx.context, ctx.user),
      countOwnUnread(ctx.context, ctx.user),
    ]);
    return { player, unreadNotices, admin: ctx.user.admin };
  }),

  /** Where the account is signed in. */
  list: userProcedure.query(({ ctx }) => listSessions(ctx.context, ctx.user)),

  end: userProcedure
    .input(z.object({ id: z.string().regex(/^[\x21-\x7e]{1,64}$/) }))
    .mutation(async ({ ctx, input }) => ({
      ended: await endSession(ctx.context, ctx.user, { sessionId: input.id, origin: ctx.origin }),
    })),

  endOthers: userProcedure.mutation(async ({ ctx }) => ({
    ended: await endOtherSessions(ctx.context, ctx.user, ctx.origin),
  })),

  /** Ends this session. Harmless where there is none. */
  signOut: publicProcedure.mutation(async ({ ctx }) => {
    await signOut(ctx.context, ctx.sessionToken, ctx.origin);
    ctx.setCookie(endedSessionCookie(ctx.context.settings.https));
  }),
});

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
