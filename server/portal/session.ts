import { z } from "zod";
import { endedSessionCookie } from "#server/auth/cookies";
import { endOtherSessions, endSession, pageSessions, signOut } from "#server/auth/session-acts";
import { countPayableRequests } from "#server/faction/banking/show-banking";
import { countOwnUnread } from "#server/notices/notices";
import { hasApplications } from "#server/oauth/clients/application-acts";
import { publicProcedure, router, userProcedure } from "#server/trpc/init";
import { showOwnPlayer } from "#server/users/find-players";
import { listFailingApplications } from "#server/webhooks/endpoint-views";
import { Continued } from "./application-views";

export const sessionRouter = router({
  current: publicProcedure.query(async ({ ctx }) => {
    if (!ctx.user) return null;
    const [player, unreadNotices, payableRequests, failingApplications] = await Promise.all([
      showOwnPlayer(ctx.context, ctx.user),
      countOwnUnread(ctx.context, ctx.user),
      countPayableRequests(ctx.context, ctx.user),
      listFailingApplications(ctx.context, ctx.user),
    ]);
    return { player, unreadNotices, payableRequests, failingApplications, admin: ctx.user.admin };
  }),

  /** Waiting payments, applications, or the account. */
  startPage: userProcedure.query(async ({ ctx: { context, user } }) => {
    const [payable, develops] = await Promise.all([
      countPayableRequests(context, user),
      hasApplications(context, user),
    ]);
    if (payable > 0) return "/faction/banking";
    return develops ? "/developers" : "/account";
  }),

  list: userProcedure
    .input(Continued.default({ after: null }))
    .query(({ ctx, input }) => pageSessions(ctx.context, ctx.user, input.after)),

  end: userProcedure
    .input(z.object({ id: z.string().regex(/^[\x21-\x7e]{1,64}$/) }))
    .mutation(async ({ ctx, input }) => ({
      ended: await endSession(ctx.context, ctx.user, { sessionId: input.id }),
    })),

  endOthers: userProcedure.mutation(async ({ ctx }) => ({
    ended: await endOtherSessions(ctx.context, ctx.user),
  })),

  /** Ignores a missing session. */
  signOut: publicProcedure.mutation(async ({ ctx }) => {
    const { context, user, sessionToken: token } = ctx;
    if (user && token !== null) await signOut(context, user, { token });
    ctx.setCookie(endedSessionCookie(ctx.context.settings.https));
  }),
});
