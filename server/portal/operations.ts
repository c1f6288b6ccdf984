import { auditActorOf } from "#server/actor";
import { AuditExport, AuditSearch, mostExported } from "#server/admin/contract";
import { exportAuditLog, searchAuditLog } from "#server/audit/read-events";
import { concernsOf } from "#server/health/concerns";
import { listMetricsPeriods, periodSeconds } from "#server/health/minute-metrics";
import { readHealth } from "#server/health/read-health";
import { dayMs, hourSeconds } from "#server/platform/time";
import { showModelCard } from "#server/stats/estimates/estimate-stats";
import { adminProcedure, confirmedAdminProcedure } from "#server/trpc/confirmed-procedure";
import { router } from "#server/trpc/init";

/** How the service runs, for the players that ADMIN_USER_IDS names. To others nothing here exists. */
export const operationsRouter = router({
  /** The last 24 hours, and what needs attention now. */
  overview: adminProcedure.query(async ({ ctx }) => {
    const [health, figures] = await Promise.all([
      readHealth(ctx.context),
      listMetricsPeriods(ctx.context),
    ]);
    return { figures, concerns: concernsOf(health, figures.slice(-hourSeconds / periodSeconds)) };
  }),

  /** How the parts of the service stand, and the model of stat estimates. */
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

  /** The events that fit as lines of JSON, the oldest first, for an archive. */
  exportAudit: confirmedAdminProcedure.input(AuditExport).mutation(async ({ ctx, input }) => {
    const { days, ...query } = input;
    const since = new Date(ctx.context.now().getTime() - days * dayMs);
    const by = { actor: auditActorOf(ctx.user), origin: ctx.origin };
    let lines = "";
    let count = 0;
    for await (const event of exportAuditLog(ctx.context, { ...query, since }, by)) {
      lines += `${JSON.stringify(event)}\n`;
      if (++count === mostExported) break;
    }
    return { lines };
  }),
});
