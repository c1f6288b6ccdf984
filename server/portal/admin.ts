import { z } from "zod";
import { banAccount, searchAccounts, showAccount, unbanAccount } from "#server/admin/accounts";
import {
  closeReports,
  countOpenVerifications,
  countReported,
  declineVerification,
  resumeApplication,
  searchApplications,
  showAnyApplication,
  showReported,
  showReportsOf,
  suspendApplication,
  verifyApplication,
} from "#server/admin/applications";
import {
  AccountSearch,
  ApplicationSearch,
  AuditExport,
  AuditSearch,
  maxExportedEvents,
  PageNumber,
  Reason,
} from "#server/admin/contract";
import { exportAuditLog, searchAuditLog } from "#server/audit/read-events";
import { resetSecondFactor } from "#server/auth/second-factor/second-factor-acts";
import { concernsOf, readRecentHours } from "#server/health/overview";
import { readHealth } from "#server/health/read-health";
import { integer, moment } from "#server/platform/input-schemas";
import { dayMs } from "#server/platform/time";
import { portalRefusal } from "#server/portal-refusal";
import { showModelCard } from "#server/stats/estimates/estimate-stats";
import {
  adminProcedure,
  confirmedAdminProcedure,
  resolverOf,
  router,
} from "#server/trpc/procedures";
import { ClientIdInput } from "./applications";

const OneAccount = z.object({ accountId: z.uuid() });

const outdated = () =>
  portalRefusal({
    status: 409,
    reason: "APPLICATION_CHANGED",
    message:
      "The application changed since you opened its page. Nothing was done: read it again, then decide.",
  });

export const adminRouter = router({
  applications: adminProcedure
    .input(ApplicationSearch)
    .query(({ ctx, input }) => searchApplications(ctx.context, input)),

  application: adminProcedure
    .input(ClientIdInput)
    .query(({ ctx, input }) => showAnyApplication(ctx.context, input.clientId)),

  verifyApplication: confirmedAdminProcedure
    .input(ClientIdInput.extend({ version: integer, verified: z.boolean(), reason: Reason }))
    .mutation(async ({ ctx, input }) => {
      if ((await verifyApplication(ctx.context, ctx.user, input)) === "outdated") throw outdated();
    }),

  declineVerification: confirmedAdminProcedure
    .input(ClientIdInput.extend({ version: integer, reason: Reason }))
    .mutation(async ({ ctx, input }) => {
      if ((await declineVerification(ctx.context, ctx.user, input)) === "outdated")
        throw outdated();
    }),

  verificationRequests: adminProcedure.query(({ ctx }) => countOpenVerifications(ctx.context)),

  suspendApplication: confirmedAdminProcedure
    .input(ClientIdInput.extend({ reason: Reason }))
    .mutation(resolverOf(suspendApplication)),

  resumeApplication: confirmedAdminProcedure
    .input(ClientIdInput)
    .mutation(resolverOf(resumeApplication)),

  reported: adminProcedure
    .input(z.object({ page: PageNumber }))
    .query(({ ctx, input }) => showReported(ctx.context, input)),

  reports: adminProcedure
    .input(ClientIdInput.extend({ page: PageNumber }))
    .query(({ ctx, input }) => showReportsOf(ctx.context, input)),

  reportedCount: adminProcedure.query(({ ctx }) => countReported(ctx.context)),

  closeReports: confirmedAdminProcedure
    .input(
      ClientIdInput.extend({
        until: moment,
        outcome: z.enum(["dismissed", "acted_on"]),
        reason: Reason,
      }),
    )
    .mutation(resolverOf(closeReports)),

  accounts: adminProcedure
    .input(AccountSearch)
    .query(({ ctx, input }) => searchAccounts(ctx.context, input)),

  account: adminProcedure
    .input(OneAccount)
    .query(({ ctx, input }) => showAccount(ctx.context, input.accountId)),

  banAccount: confirmedAdminProcedure
    .input(OneAccount.extend({ reason: Reason }))
    .mutation(resolverOf(banAccount)),

  unbanAccount: confirmedAdminProcedure.input(OneAccount).mutation(resolverOf(unbanAccount)),

  resetSecondFactor: confirmedAdminProcedure
    .input(OneAccount.extend({ reason: Reason }))
    .mutation(resolverOf(resetSecondFactor)),
});

export const operationsRouter = router({
  overview: adminProcedure.query(async ({ ctx }) => {
    const [health, recent] = await Promise.all([
      readHealth(ctx.context),
      readRecentHours(ctx.context),
    ]);
    // Concerns of the running hour, and of the last counted one.
    return { ...recent, concerns: concernsOf(health, recent.hours.slice(-2)) };
  }),

  system: adminProcedure.query(async ({ ctx }) => {
    const [health, model] = await Promise.all([
      readHealth(ctx.context),
      showModelCard(ctx.context),
    ]);
    return { ...health, model };
  }),

  audit: adminProcedure
    .input(AuditSearch)
    .query(({ ctx, input }) => searchAuditLog(ctx.context, input)),

  exportAudit: confirmedAdminProcedure.input(AuditExport).mutation(async ({ ctx, input }) => {
    const { days, ...query } = input;
    const first = ctx.context.now().getTime() - days * dayMs;
    const since = new Date(Math.max(first, query.since?.getTime() ?? 0));
    let lines = "";
    let count = 0;
    for await (const event of exportAuditLog(ctx.context, ctx.user, { ...query, since })) {
      lines += `${JSON.stringify(event)}\n`;
      if (++count === maxExportedEvents) break;
    }
    return { lines };
  }),
});
