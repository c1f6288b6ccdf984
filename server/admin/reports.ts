import type { Administrator } from "#server/actor";
import type { AuditedAct } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { inspectApplication } from "./applications-store";
import { type PageOf, readNumberedPage } from "./contract";
import {
  closeReportsUntil,
  countOpenReports,
  countReportedApplications,
  listOpenReports,
  listReported,
  type ReportOutcome,
} from "./reports-store";

export type ReportedApplication = Awaited<ReturnType<typeof listReported>>[number];

export const showReported = (
  ctx: Context,
  { page }: { readonly page: number },
): Promise<PageOf<ReportedApplication>> =>
  readNumberedPage(page, (window) => listReported(ctx.database.query, window));

export const countReported = (ctx: Context): Promise<number> =>
  countReportedApplications(ctx.database.query);

/** The open ones, newest first, and how many there are for each reason. */
export async function showReportsOf(
  ctx: Context,
  { clientId, page }: { readonly clientId: string; readonly page: number },
) {
  const on = ctx.database.query;
  const reasons = await countOpenReports(on, clientId);
  const times = reasons.map(({ newest }) => newest?.getTime() ?? 0);
  return {
    reasons: reasons.map(({ reason, reports }) => ({ reason, reports })),
    count: reasons.reduce((sum, { reports }) => sum + reports, 0),
    /** An answer covers reports until then. */
    until: new Date(Math.max(0, ...times)),
    ...(await readNumberedPage(page, (window) => listOpenReports(on, clientId, window))),
  };
}

const outcomes = {
  dismissed: {
    act: "application_report.dismissed",
    words: "An admin of Adjutant looked into it and found no reason to act.",
  },
  acted_on: {
    act: "application_report.acted_on",
    words: "An admin of Adjutant looked into it and acted on it. Thank you.",
  },
} as const satisfies Readonly<Record<ReportOutcome, { act: AuditedAct; words: string }>>;

/**
 * Closes what the admin has read: a report that came or changed after `until` stays open. The
 * reporters get a notice without the note.
 * @throws UnknownOAuthClient · GeneralError if none was open
 */
export async function closeReports(
  ctx: Context,
  by: Administrator,
  closed: {
    readonly clientId: string;
    readonly until: Date;
    readonly outcome: ReportOutcome;
    readonly reason: string;
  },
): Promise<void> {
  const { clientId, until, outcome, reason } = closed;
  await ctx.database.transaction(async (tx) => {
    const application = await inspectApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    const close = { closedAt: ctx.now(), outcome };
    const reporters = await closeReportsUntil(tx, { clientId, until }, close);
    if (reporters.length === 0)
      throw GeneralError.because({ message: "These reports are closed already." });
    const { act, words } = outcomes[outcome];
    await ctx.audit(tx, by, act, {
      ...{ accountId: null, clientId },
      details: { reports: reporters.length, reason },
    });
    await ctx.notify(
      tx,
      reporters.map((accountId) => ({
        accountId,
        kind: "report-answered",
        text: `You reported “${application.name}”. ${words}`,
      })),
    );
  });
}
