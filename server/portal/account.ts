import { z } from "zod";
import { deleteAccount, exportAccount, showDeletion } from "#server/account/account-acts";
import {
  chooseNotifications,
  NotificationChoices,
  showNotificationChoices,
} from "#server/account/notification-choices";
import { AuditEventId } from "#server/audit/audit";
import { listOwnHistory } from "#server/audit/read-events";
import { endedSessionCookie } from "#server/auth/cookies";
import { endOtherSessions, endSession, pageSessions, signOut } from "#server/auth/sessions";
import { countPayableRequests } from "#server/faction/banking/show-banking";
import { countOwnUnread, markOwnNoticesRead, showNotices } from "#server/notices/notices";
import { hasApplications } from "#server/oauth/clients/application-acts";
import { text } from "#server/platform/input-schemas";
import {
  confirmedProcedure,
  publicProcedure,
  resolverOf,
  router,
  userProcedure,
} from "#server/trpc/procedures";
import { AccountSwitch, showSwitches, turnSwitch } from "#server/users/account-switches";
import { showOwnPlayer } from "#server/users/find-players";
import { unservedPurposes } from "#server/users/keys/new-key";
import { listGameKeys, removeGameKey } from "#server/users/keys/own-keys";
import { listFailingApplications } from "#server/webhooks/endpoint-views";
import { CursorInput } from "./applications";

export const accountRouter = router({
  overview: userProcedure.query(async ({ ctx: { context, user } }) => {
    const [player, gameKeys, switches] = await Promise.all([
      showOwnPlayer(context, user),
      listGameKeys(context, user),
      showSwitches(context, user),
    ]);
    const unserved = unservedPurposes(gameKeys, switches);
    return { player, gameKeys, switches, unserved };
  }),

  notices: userProcedure.input(CursorInput).query(resolverOf(showNotices)),

  noticesRead: userProcedure.mutation(resolverOf(markOwnNoticesRead)),

  notifications: userProcedure.query(resolverOf(showNotificationChoices)),

  notify: userProcedure.input(NotificationChoices).mutation(resolverOf(chooseNotifications)),

  history: userProcedure
    .input(z.object({ before: AuditEventId.optional() }))
    .query(({ ctx, input }) => listOwnHistory(ctx.context, ctx.user, input.before)),

  switch: userProcedure
    .input(
      z.object({
        name: AccountSwitch,
        on: z.enum(["yes", "no"]).transform((word) => word === "yes"),
      }),
    )
    .mutation(resolverOf(turnSwitch)),

  removeKey: confirmedProcedure
    .input(z.object({ keyId: z.uuid() }))
    .mutation(resolverOf(removeGameKey)),

  /** A mutation, so that a link cannot cause an export. */
  export: userProcedure.mutation(resolverOf(exportAccount)),

  deletion: userProcedure.query(resolverOf(showDeletion)),

  delete: confirmedProcedure
    .input(z.object({ confirmName: text(200) }))
    .mutation(async ({ ctx, input }) => {
      await deleteAccount(ctx.context, ctx.user, input);
      ctx.setCookie(endedSessionCookie(ctx.context.settings.https));
    }),
});

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

  startPage: userProcedure.query(async ({ ctx: { context, user } }) => {
    const [payable, develops] = await Promise.all([
      countPayableRequests(context, user),
      hasApplications(context, user),
    ]);
    if (payable > 0) return "/faction/banking";
    return develops ? "/developers" : "/account";
  }),

  list: userProcedure
    .input(CursorInput.default({ after: null }))
    .query(({ ctx, input }) => pageSessions(ctx.context, ctx.user, input.after)),

  end: userProcedure
    .input(z.object({ id: z.string().regex(/^[\x21-\x7e]{1,64}$/) }))
    .mutation(async ({ ctx, input }) => ({
      ended: await endSession(ctx.context, ctx.user, { sessionId: input.id }),
    })),

  endOthers: userProcedure.mutation(async ({ ctx }) => ({
    ended: await endOtherSessions(ctx.context, ctx.user),
  })),

  signOut: publicProcedure.mutation(async ({ ctx }) => {
    const { context, user, sessionToken: token } = ctx;
    if (user && token !== null) await signOut(context, user, { token });
    ctx.setCookie(endedSessionCookie(ctx.context.settings.https));
  }),
});
