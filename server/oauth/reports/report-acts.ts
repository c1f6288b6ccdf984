import { z } from "zod";
import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { text } from "#server/platform/input-schemas";
import { charge } from "#server/platform/limiter/limiter";
import { dayMs } from "#server/platform/time";
import { isClientId } from "../clients/client";
import { type Application, findApplication, lockAccountRow } from "../clients/store";
import {
  changeOpenReport,
  countReports,
  findOpenReport,
  hasMetApplication,
  insertReport,
  type Report,
  type ReportReason,
} from "./store";

export const reportReasons: Readonly<Record<ReportReason, string>> = {
  impersonation: "It pretends to be somebody else",
  scopes: "It asks for more than it needs",
  misuse: "It misuses data or access",
  abuse: "It spams or cheats",
  other: "Something else",
};

export const longestReport = 1_000;

export const ReportInput = z.object({
  clientId: text(100),
  reason: z.enum(Object.keys(reportReasons) as [ReportReason, ...ReportReason[]], {
    error: "Choose a reason.",
  }),
  text: text(longestReport).trim().default(""),
});
export type ReportInput = z.output<typeof ReportInput>;

const reportsAMinute = 5;
const reportsADay = 10;

/** @throws UnknownOAuthClient alike for an unknown or deleted application, or one never met */
async function findMet(on: Queryable, by: PortalUser, clientId: string): Promise<Application> {
  const pair = { clientId, accountId: by.accountId };
  const application =
    isClientId(clientId) && (await hasMetApplication(on, pair))
      ? await findApplication(on, clientId)
      : undefined;
  if (!application) throw UnknownOAuthClient.because();
  return application;
}

/** @throws UnknownOAuthClient */
export async function showReport(
  ctx: Context,
  user: PortalUser,
  { clientId }: { readonly clientId: string },
): Promise<{
  readonly name: string;
  readonly open: Pick<Report, "reason" | "text" | "reportedAt"> | null;
}> {
  const on = ctx.database.query;
  const { name } = await findMet(on, user, clientId);
  const own = await findOpenReport(on, { clientId, accountId: user.accountId });
  const open = own && { reason: own.reason, text: own.text, reportedAt: own.reportedAt };
  return { name, open: open ?? null };
}

/**
 * While a report is open, a second report of the same application changes it.
 * @throws UnknownOAuthClient · TooManyRequests · GeneralError at the limit of a day
 */
export async function reportApplication(
  ctx: Context,
  by: PortalUser,
  { clientId, reason, text }: ReportInput,
): Promise<void> {
  const { accountId } = by;
  await findMet(ctx.database.query, by, clientId);
  const window = { policy: "reports", subject: accountId, limit: reportsAMinute };
  await charge(ctx, window, "reports");
  await ctx.database.transaction(async (tx) => {
    const now = ctx.now();
    await lockAccountRow(tx, accountId);
    const sent = await countReports(tx, accountId, new Date(now.getTime() - dayMs));
    const before = await findOpenReport(tx, { clientId, accountId });
    const after = { reason, text, reportedAt: now };
    if (before && (await changeOpenReport(tx, before.id, after))) {
      await ctx.audit(tx, by, "application_report.changed", { clientId, before, after });
      return;
    }
    if (sent >= reportsADay)
      throw GeneralError.because({
        message: `You sent ${reportsADay} reports within 24 hours, the most that is possible. Try again tomorrow.`,
      });
    const id = ctx.ids.uuid();
    await insertReport(tx, { id, clientId, accountId, createdAt: now, ...after });
    await ctx.audit(tx, by, "application_report.sent", { clientId, after });
  });
}
