import type { Queryable } from "#db/client";
import type { Administrator } from "#server/actor";
import { type AuditDetails, type AuditedAct, changedFields } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { countDevices, countPlayersByClient } from "#server/oauth/clients/live-grants/live-grants";
import { notifyTeam } from "#server/oauth/clients/team/notify-team";
import {
  closeRequest,
  readChecklist,
} from "#server/oauth/clients/verification/verification-requests";
import { noCount } from "#server/platform/paging";
import {
  closeReportsUntil,
  countReportedApplications,
  countReportsByReason,
  countVerificationRequests,
  findApplicationDetails,
  listAllApplications,
  listOpenReports,
  listReported,
  lockAnyApplication,
  type ReportOutcome,
  saveApplicationMarks,
} from "./applications-store";
import { type ApplicationSearch, readNumberedPage } from "./contract";

/** A page counts the players of fifty applications, so each count is capped. */
const mostPlayersInList = 1_000;

export async function searchApplications(ctx: Context, { page, ...query }: ApplicationSearch) {
  const { rows, more } = await readNumberedPage(page, (window) =>
    listAllApplications(ctx.database.query, { ...query, ...window }),
  );
  const clientIds = rows.map(({ clientId }) => clientId);
  const users = await countPlayersByClient(ctx, { clientIds, most: mostPlayersInList });
  return { rows: rows.map((row) => ({ ...row, users: users.get(row.clientId) ?? noCount })), more };
}

export type ShownApplication = Awaited<ReturnType<typeof showAnyApplication>>;

/** @throws UnknownOAuthClient */
export async function showAnyApplication(ctx: Context, clientId: string) {
  const application = await findApplicationDetails(ctx.database.query, clientId);
  if (!application) throw UnknownOAuthClient.because();
  const users = await countPlayersByClient(ctx, { clientIds: [clientId] });
  const { verifiedAs, domain, suspendedAt } = application;
  const checked = {
    ...application,
    suspended: suspendedAt !== null,
    provenDomain: domain?.provenAt ? domain.name : null,
  };
  return {
    ...application,
    checklist: await readChecklist(ctx.database.query, checked),
    /** Changes since the last verification; null without one. */
    changes:
      verifiedAs && changedFields(verified, { before: verifiedAs, after: claimsOf(application) }),
    users: users.get(clientId) ?? noCount,
    grants: await countDevices(ctx, clientId),
  };
}

const verified = "application.verified";
type Inspected = NonNullable<Awaited<ReturnType<typeof findApplicationDetails>>>;

/** The claims that an admin vouches for, named as audited fields. */
const claimsOf = ({ owner, domain, privacy, ...application }: Inspected) => ({
  ...application,
  ...privacy,
  owner: `${owner.name} [${owner.playerId}]`,
  domain: domain?.provenAt ? domain.name : null,
});

const claimsNow = async (tx: Queryable, clientId: string): Promise<AuditDetails> => {
  const application = await findApplicationDetails(tx, clientId);
  return application ? changedFields(verified, { after: claimsOf(application) }) : {};
};

type Locked = NonNullable<Awaited<ReturnType<typeof lockAnyApplication>>>;

interface Judgement {
  readonly act: AuditedAct;
  readonly mark: Parameters<typeof saveApplicationMarks>[2];
  readonly notice: { readonly kind: string; readonly text: string };
}

interface Judged {
  readonly clientId: string;
  /** The version that the admin saw; the act is refused if the application has changed since. */
  readonly version?: number;
  readonly reason?: string | undefined;
}

/**
 * @param decide runs under the application's lock; undefined changes nothing
 * @throws UnknownOAuthClient
 */
const judge = (
  ctx: Context,
  by: Administrator,
  { clientId, version, reason }: Judged,
  decide: (application: Locked, tx: Queryable) => Promise<Judgement | undefined>,
): Promise<"done" | "outdated"> =>
  ctx.database.transaction(async (tx) => {
    const application = await lockAnyApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (version !== undefined && application.version !== version) return "outdated";
    const judgement = await decide(application, tx);
    if (!judgement) return "done";
    const { act, mark, notice } = judgement;
    await saveApplicationMarks(tx, clientId, mark);
    const { ownerId: accountId, name } = application;
    const details = { name, ...(reason && { reason }) };
    await ctx.audit(tx, by, act, { accountId, clientId, details });
    await notifyTeam(ctx, tx, { clientId, right: "figures" }, () => notice);
    // Instances also cache a suspension.
    if ("suspendedAt" in mark) await ctx.tokens.announceRevocation(tx, { clientId });
    return "done";
  });

/**
 * Idempotent. Also answers an open request for verification.
 * @throws UnknownOAuthClient
 */
export const verifyApplication = (
  ctx: Context,
  by: Administrator,
  asked: Judged & { readonly version: number; readonly verified: boolean },
): Promise<"done" | "outdated"> =>
  judge(ctx, by, asked, async ({ clientId, name, verifiedAt }, tx) => {
    const { verified: isGood, reason } = asked;
    if ((verifiedAt !== null) === isGood) return undefined;
    const version = asked.version + 1;
    const why = reason ? ` The reason given: ${reason}` : "";
    if (!isGood)
      return {
        act: "application.unverified",
        mark: { verifiedAt: null, version },
        notice: {
          kind: "application-unverified",
          text: `Your application "${name}" is no longer verified. It still works.${why}`,
        },
      };
    await closeRequest(ctx, tx, { clientId, outcome: "verified", reason });
    return {
      act: verified,
      mark: { verifiedAt: ctx.now(), verifiedAs: await claimsNow(tx, clientId), version },
      notice: {
        kind: "application-verified",
        text: `Your application "${name}" is verified. Players see that when it asks them for access.${why}`,
      },
    };
  });

/** @throws UnknownOAuthClient · GeneralError if no request is open */
export const declineVerification = (
  ctx: Context,
  by: Administrator,
  asked: { clientId: string; version: number; reason: string },
): Promise<"done" | "outdated"> =>
  judge(ctx, by, asked, async ({ clientId, name }, tx) => {
    const { reason, version } = asked;
    if (!(await closeRequest(ctx, tx, { clientId, outcome: "declined", reason })))
      throw GeneralError.because({ message: "No request for verification is open." });
    return {
      act: "verification_request.declined",
      mark: { version: version + 1 },
      notice: {
        kind: "verification-declined",
        text: `Your application "${name}" is not verified. The reason given: ${reason} It works as before, and its owner can ask again.`,
      },
    };
  });

/**
 * Tokens stop at once and none are issued, but nothing is deleted. The developer sees the reason.
 * @throws UnknownOAuthClient · GeneralError if it is suspended already
 */
export async function suspendApplication(
  ctx: Context,
  by: Administrator,
  asked: { clientId: string; reason: string },
): Promise<void> {
  const { reason } = asked;
  await judge(ctx, by, asked, async ({ name, suspendedAt }) => {
    if (suspendedAt)
      throw GeneralError.because({ message: "The application is suspended already." });
    return {
      act: "application.suspended",
      mark: { suspendedAt: ctx.now(), suspendedFor: reason },
      notice: {
        kind: "application-suspended",
        text: `Your application "${name}" is suspended: its tokens don't work, and nobody can approve it. The reason given: ${reason}`,
      },
    };
  });
}

/**
 * The application's tokens work again.
 * @throws UnknownOAuthClient · GeneralError if it is not suspended, or its developer is banned
 */
export async function resumeApplication(
  ctx: Context,
  by: Administrator,
  asked: { clientId: string },
): Promise<void> {
  await judge(ctx, by, asked, async ({ name, suspendedAt, ownerBanned }) => {
    if (!suspendedAt) throw GeneralError.because({ message: "The application is not suspended." });
    // A banned developer still has the application's secrets.
    if (ownerBanned)
      throw GeneralError.because({
        message: "Its developer is banned. Lift the ban of the account first.",
      });
    return {
      act: "application.resumed",
      mark: { suspendedAt: null, suspendedFor: null },
      notice: {
        kind: "application-resumed",
        text: `Your application "${name}" works again: its suspension is lifted, and so do its tokens.`,
      },
    };
  });
}

export const showReported = (ctx: Context, { page }: { readonly page: number }) =>
  readNumberedPage(page, (window) => listReported(ctx.database.query, window));

export const countOpenVerifications = (ctx: Context) =>
  countVerificationRequests(ctx.database.query);
export const countReported = (ctx: Context) => countReportedApplications(ctx.database.query);

/** Lists open reports, newest first, and counts them by reason. */
export async function showReportsOf(
  ctx: Context,
  { clientId, page }: { clientId: string; page: number },
) {
  const on = ctx.database.query;
  const reasons = await countReportsByReason(on, clientId);
  const times = reasons.map(({ newest }) => newest?.getTime() ?? 0);
  return {
    reasons: reasons.map(({ reason, reports }) => ({ reason, reports })),
    count: reasons.reduce((sum, { reports }) => sum + reports, 0),
    /** An admin's answer closes reports up to this time. */
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
 * Reports that came or changed after `until` stay open, because the admin has not read them.
 * Reporters get a notice without the note.
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
    const application = await findApplicationDetails(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    const close = { closedAt: ctx.now(), outcome };
    const reporters = await closeReportsUntil(tx, { clientId, until }, close);
    if (reporters.length === 0)
      throw GeneralError.because({ message: "These reports are closed already." });
    const { act, words } = outcomes[outcome];
    await ctx.audit(tx, by, act, {
      accountId: null,
      clientId,
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
