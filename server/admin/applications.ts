import type { Queryable } from "#db/client";
import type { Administrator } from "#server/actor";
import { type AuditDetails, changedFields } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { countDevices, countPlayers } from "#server/oauth/clients/live-grants/live-grants";
import { notifyTeam } from "#server/oauth/clients/team/notify-team";
import {
  closeRequest,
  readChecklist,
} from "#server/oauth/clients/verification/verification-requests";
import { type CappedCount, noCount } from "#server/platform/paging";
import {
  type AdminListedApplication,
  countVerificationRequests,
  findLockedApplication,
  inspectApplication,
  listAllApplications,
  markApplication,
} from "./applications-store";
import { type ApplicationSearch, type PageOf, readNumberedPage } from "./contract";

/** A page of fifty counts their players no further. */
const mostPlayersInList = 1_000;

export async function searchApplications(
  ctx: Context,
  { page, ...query }: ApplicationSearch,
): Promise<PageOf<AdminListedApplication & { readonly users: CappedCount }>> {
  const { rows, more } = await readNumberedPage(page, (window) =>
    listAllApplications(ctx.database.query, { ...query, ...window }),
  );
  const clientIds = rows.map(({ clientId }) => clientId);
  const users = await countPlayers(ctx, { clientIds, most: mostPlayersInList });
  return { rows: rows.map((row) => ({ ...row, users: users.get(row.clientId) ?? noCount })), more };
}

export type ShownApplication = Awaited<ReturnType<typeof showAnyApplication>>;

/** @throws UnknownOAuthClient */
export async function showAnyApplication(ctx: Context, clientId: string) {
  const application = await inspectApplication(ctx.database.query, clientId);
  if (!application) throw UnknownOAuthClient.because();
  const users = await countPlayers(ctx, { clientIds: [clientId] });
  const { verifiedAs, domain, suspendedAt } = application;
  const checked = {
    ...{ ...application, suspended: suspendedAt !== null },
    provenDomain: domain?.provenAt ? domain.name : null,
  };
  return {
    ...application,
    checklist: await readChecklist(ctx.database.query, checked),
    /** Since an admin last verified it; null if no admin did. */
    changes:
      verifiedAs && changedFields(verified, { before: verifiedAs, after: claimsOf(application) }),
    users: users.get(clientId) ?? noCount,
    grants: await countDevices(ctx, clientId),
  };
}

export const countRequests = (ctx: Context): Promise<number> =>
  countVerificationRequests(ctx.database.query);

const verified = "application.verified";
type Inspected = NonNullable<Awaited<ReturnType<typeof inspectApplication>>>;

/** What an admin vouches for, by the names of audited fields. */
const claimsOf = ({ owner, domain, privacy, ...application }: Inspected) => ({
  ...{ ...application, ...privacy },
  owner: `${owner.name} [${owner.playerId}]`,
  domain: domain?.provenAt ? domain.name : null,
});

const claimsNow = async (tx: Queryable, clientId: string): Promise<AuditDetails> => {
  const application = await inspectApplication(tx, clientId);
  return application ? changedFields(verified, { after: claimsOf(application) }) : {};
};

/**
 * Answers an open request. Players see the mark where they are asked. Refused if the application
 * has changed since `version`. Idempotent.
 * @throws UnknownOAuthClient
 */
export async function verifyApplication(
  ctx: Context,
  by: Administrator,
  {
    clientId,
    version,
    verified: isGood,
    reason,
  }: {
    readonly clientId: string;
    readonly version: number;
    readonly verified: boolean;
    readonly reason?: string | undefined;
  },
): Promise<"done" | "outdated"> {
  return ctx.database.transaction(async (tx) => {
    const application = await findLockedApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (application.version !== version) return "outdated";
    if (application.verified === isGood) return "done";
    const { ownerId, name } = application;
    await markApplication(tx, clientId, {
      verifiedAt: isGood ? ctx.now() : null,
      ...(isGood && { verifiedAs: await claimsNow(tx, clientId) }),
      version: version + 1,
    });
    if (isGood) await closeRequest(ctx, tx, { clientId, outcome: "verified", reason });
    const act = isGood ? verified : "application.unverified";
    const details = { name, ...(reason && { reason }) };
    await ctx.audit(tx, by, act, { accountId: ownerId, clientId, details });
    const why = reason ? ` The reason given: ${reason}` : "";
    const text = isGood
      ? `Your application "${name}" is verified. Players see that when it asks them for access.${why}`
      : `Your application "${name}" is no longer verified. It still works.${why}`;
    const kind = isGood ? "application-verified" : "application-unverified";
    await notifyTeam(ctx, tx, { clientId, right: "figures" }, () => ({ kind, text }));
    return "done";
  });
}

/**
 * Refused if the application has changed since `version`.
 * @throws UnknownOAuthClient · GeneralError if no request is open
 */
export async function declineVerification(
  ctx: Context,
  by: Administrator,
  asked: { readonly clientId: string; readonly version: number; readonly reason: string },
): Promise<"done" | "outdated"> {
  const { clientId, version, reason } = asked;
  return ctx.database.transaction(async (tx) => {
    const application = await findLockedApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (application.version !== version) return "outdated";
    if (!(await closeRequest(ctx, tx, { clientId, outcome: "declined", reason })))
      throw GeneralError.because({ message: "No request for verification is open." });
    await markApplication(tx, clientId, { version: version + 1 });
    const { ownerId, name } = application;
    await ctx.audit(tx, by, "verification_request.declined", {
      ...{ accountId: ownerId, clientId },
      details: { name, reason },
    });
    await notifyTeam(ctx, tx, { clientId, right: "figures" }, () => ({
      kind: "verification-declined",
      text: `Your application "${name}" is not verified. The reason given: ${reason} It works as before, and its owner can ask again.`,
    }));
    return "done";
  });
}

/**
 * Tokens stop at once and no new ones are issued, but nothing is deleted. The developer sees the
 * reason.
 * @throws UnknownOAuthClient · GeneralError if it is suspended already
 */
export async function suspendApplication(
  ctx: Context,
  by: Administrator,
  { clientId, reason }: { readonly clientId: string; readonly reason: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await findLockedApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (application.suspended)
      throw GeneralError.because({ message: "The application is suspended already." });
    const { ownerId, name } = application;
    await markApplication(tx, clientId, { suspendedAt: ctx.now(), suspendedFor: reason });
    await ctx.audit(tx, by, "application.suspended", {
      accountId: ownerId,
      clientId,
      details: { name, reason },
    });
    await notifyTeam(ctx, tx, { clientId, right: "figures" }, () => ({
      kind: "application-suspended",
      text: `Your application "${name}" is suspended: its tokens don't work, and nobody can approve it. The reason given: ${reason}`,
    }));
    await ctx.tokens.announceRevocation(tx, { clientId });
  });
}

/**
 * Its tokens work again.
 * @throws UnknownOAuthClient · GeneralError if it is not suspended, or its developer is banned
 */
export async function resumeApplication(
  ctx: Context,
  by: Administrator,
  { clientId }: { readonly clientId: string },
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await findLockedApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (!application.suspended)
      throw GeneralError.because({ message: "The application is not suspended." });
    // A banned developer still has its secrets.
    if (application.ownerBanned)
      throw GeneralError.because({
        message: "Its developer is banned. Lift the ban of the account first.",
      });
    const { ownerId, name } = application;
    await markApplication(tx, clientId, { suspendedAt: null, suspendedFor: null });
    await ctx.audit(tx, by, "application.resumed", {
      accountId: ownerId,
      clientId,
      details: { name },
    });
    await notifyTeam(ctx, tx, { clientId, right: "figures" }, () => ({
      kind: "application-resumed",
      text: `Your application "${name}" works again: its suspension is lifted, and so do its tokens.`,
    }));
    // Clears the cached suspension.
    await ctx.tokens.announceRevocation(tx, { clientId });
  });
}
