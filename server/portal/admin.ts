import { z } from "zod";
import { banAccount, searchAccounts, showAccount, unbanAccount } from "#server/admin/accounts";
import {
  closeReports,
  countReported,
  countRequests,
  declineVerification,
  resumeApplication,
  searchApplications,
  showAnyApplication,
  showReported,
  showReportsOf,
  suspendApplication,
  verifyApplication,
} from "#server/admin/applications";
import { AccountSearch, ApplicationSearch, Page, Reason } from "#server/admin/contract";
import { resetSecondFactor } from "#server/auth/second-factor/second-factor-acts";
import { integer, moment, text } from "#server/platform/input-schemas";
import { portalRefusal } from "#server/portal-refusal";
import { adminProcedure, confirmedAdminProcedure } from "#server/trpc/confirmed-procedure";
import { calling, router } from "#server/trpc/init";

const OneApplication = z.object({ clientId: text(100) });
const OneAccount = z.object({ accountId: z.uuid() });

const outdated = () =>
  portalRefusal({
    status: 409,
    reason: "APPLICATION_CHANGED",
    message:
      "The application changed since you opened its page. Nothing was done: read it again, then decide.",
  });

/** Hidden from everyone not named in ADMIN_USER_IDS. */
export const adminRouter = router({
  applications: adminProcedure
    .input(ApplicationSearch)
    .query(({ ctx, input }) => searchApplications(ctx.context, input)),

  application: adminProcedure
    .input(OneApplication)
    .query(({ ctx, input }) => showAnyApplication(ctx.context, input.clientId)),

  verifyApplication: confirmedAdminProcedure
    .input(OneApplication.extend({ version: integer, verified: z.boolean(), reason: Reason }))
    .mutation(async ({ ctx, input }) => {
      if ((await verifyApplication(ctx.context, ctx.user, input)) === "outdated") throw outdated();
    }),

  declineVerification: confirmedAdminProcedure
    .input(OneApplication.extend({ version: integer, reason: Reason }))
    .mutation(async ({ ctx, input }) => {
      if ((await declineVerification(ctx.context, ctx.user, input)) === "outdated")
        throw outdated();
    }),

  /** Open ones. */
  verificationRequests: adminProcedure.query(({ ctx }) => countRequests(ctx.context)),

  suspendApplication: confirmedAdminProcedure
    .input(OneApplication.extend({ reason: Reason }))
    .mutation(calling(suspendApplication)),

  resumeApplication: confirmedAdminProcedure
    .input(OneApplication)
    .mutation(calling(resumeApplication)),

  /** Applications that players report, grouped. */
  reported: adminProcedure
    .input(z.object({ page: Page }))
    .query(({ ctx, input }) => showReported(ctx.context, input)),

  reports: adminProcedure
    .input(OneApplication.extend({ page: Page }))
    .query(({ ctx, input }) => showReportsOf(ctx.context, input)),

  reportedCount: adminProcedure.query(({ ctx }) => countReported(ctx.context)),

  closeReports: confirmedAdminProcedure
    .input(
      OneApplication.extend({
        until: moment,
        outcome: z.enum(["dismissed", "acted_on"]),
        reason: Reason,
      }),
    )
    .mutation(calling(closeReports)),

  accounts: adminProcedure
    .input(AccountSearch)
    .query(({ ctx, input }) => searchAccounts(ctx.context, input)),

  account: adminProcedure
    .input(OneAccount)
    .query(({ ctx, input }) => showAccount(ctx.context, input.accountId)),

  banAccount: confirmedAdminProcedure
    .input(OneAccount.extend({ reason: Reason }))
    .mutation(calling(banAccount)),

  unbanAccount: confirmedAdminProcedure.input(OneAccount).mutation(calling(unbanAccount)),

  resetSecondFactor: confirmedAdminProcedure
    .input(OneAccount.extend({ reason: Reason }))
    .mutation(calling(resetSecondFactor)),
});
