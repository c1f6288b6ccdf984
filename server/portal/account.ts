import { z } from "zod";
import { deleteAccount, exportAccount, showDeletion } from "#server/account/account-acts";
import {
  chooseNotifications,
  NotificationChoices,
  showNotifications,
} from "#server/account/notification-choices";
import { EventId } from "#server/audit/audit";
import { listOwnHistory } from "#server/audit/read-events";
import { endedSessionCookie } from "#server/auth/cookies";
import { markOwnNoticesRead, showNotices } from "#server/notices/notices";
import { text } from "#server/platform/input-schemas";
import { confirmedProcedure } from "#server/trpc/confirmed-procedure";
import { calling, router, userProcedure } from "#server/trpc/init";
import { AccountSwitch, showSwitches, turnSwitch } from "#server/users/account-switches";
import { showOwnPlayer } from "#server/users/find-players";
import { unservedPurposes } from "#server/users/keys/new-key";
import { listGameKeys, removeGameKey } from "#server/users/keys/own-keys";
import { Continued } from "./application-views";

export const accountRouter = router({
  overview: userProcedure.query(async ({ ctx: { context, user } }) => {
    const [player, gameKeys, notices, switches] = await Promise.all([
      showOwnPlayer(context, user),
      listGameKeys(context, user),
      showNotices(context, user, { after: null }),
      showSwitches(context, user),
    ]);
    const unserved = unservedPurposes(gameKeys, switches);
    return { player, gameKeys, notices, switches, unserved };
  }),

  notices: userProcedure.input(Continued).query(calling(showNotices)),

  noticesRead: userProcedure.mutation(calling(markOwnNoticesRead)),

  notifications: userProcedure.query(calling(showNotifications)),

  notify: userProcedure.input(NotificationChoices).mutation(calling(chooseNotifications)),

  history: userProcedure
    .input(z.object({ before: EventId.optional() }))
    .query(({ ctx, input }) => listOwnHistory(ctx.context, ctx.user, input.before)),

  switch: userProcedure
    .input(
      z.object({
        name: AccountSwitch,
        on: z.enum(["yes", "no"]).transform((word) => word === "yes"),
      }),
    )
    .mutation(calling(turnSwitch)),

  removeKey: confirmedProcedure
    .input(z.object({ keyId: z.uuid() }))
    .mutation(calling(removeGameKey)),

  /** A mutation, so that a link cannot cause it. */
  export: userProcedure.mutation(calling(exportAccount)),

  deletion: userProcedure.query(calling(showDeletion)),

  delete: confirmedProcedure
    .input(z.object({ confirmName: text(200) }))
    .mutation(async ({ ctx, input }) => {
      await deleteAccount(ctx.context, ctx.user, input);
      ctx.setCookie(endedSessionCookie(ctx.context.settings.https));
    }),
});
