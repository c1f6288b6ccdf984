import { AuditExport, AuditSearch, mostExported } from "#server/admin/contract";
import { exportAuditLog, searchAuditLog } from "#server/audit/read-events";
import { concernsOf } from "#server/health/concerns";
import { listHours } from "#server/health/hours";
import { readHealth } from "#server/health/read-health";
import { dayMs } from "#server/platform/time";
import { showModelCard } from "#server/stats/estimates/estimate-stats";
import { adminProcedure, confirmedAdminProcedure } from "#server/trpc/confirmed-procedure";
import { router } from "#server/trpc/init";

/** Hidden from everyone not named in ADMIN_USER_IDS. */
export const operationsRouter = router({
  overview: adminProcedure.query(async ({ ctx }) => {
    const [health, recent] = await Promise.all([readHealth(ctx.context), listHours(ctx.context)]);
    // The running hour, and the last counted one.
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
      if (++count === mostExported) break;
    }
    return { lines };
  }),
});
