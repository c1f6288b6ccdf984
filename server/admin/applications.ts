import { type Administrator, auditActorOf } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { playerCountLimit, playerCountLimitInList } from "#server/oauth/clients/count-limits";
import { countDevices, countPlayers } from "#server/oauth/clients/live-grants/live-grants";
import { type CappedCount, noCount } from "#server/platform/paging";
import {
  type AdminListedApplication,
  findLockedApplication,
  type InspectedApplication,
  inspectApplication,
  listAllApplications,
  markApplication,
} from "./applications-store";
import { type ApplicationSearch, type PageOf, readNumberedPage } from "./contract";

/** An application in a list, with the players who have a live consent. */
export interface FoundApplication extends AdminListedApplication {
  readonly users: CappedCount;
}

/** Registered applications that fit the search, newest first. */
export async function searchApplications(
  ctx: Context,
  { page, ...query }: ApplicationSearch,
): Promise<PageOf<FoundApplication>> {
  const { rows, more } = await readNumberedPage(page, (window) =>
    listAllApplications(ctx.database.query, { ...query, ...window }),
  );
  const clientIds = rows.map(({ clientId }) => clientId);
  const users = await countPlayers(ctx, { clientIds, most: playerCountLimitInList });
  return { rows: rows.map((row) => ({ ...row, users: users.get(row.clientId) ?? noCount })), more };
}

/** An application with all that its developer said of it, and how many it reaches. */
export interface ShownApplication extends InspectedApplication {
  /** Players with a live consent. */
  readonly users: CappedCount;
  /** Devices on which something of what they approved can still be used. */
  readonly grants: CappedCount;
}

/** Any developer's application. @throws UnknownOAuthClient */
export async function showAnyApplication(
  ctx: Context,
  clientId: string,
): Promise<ShownApplication> {
  const application = await inspectApplication(ctx.database.query, clientId);
  if (!application) throw UnknownOAuthClient.because();
  const users =
    (await countPlayers(ctx, { clientIds: [clientId], most: playerCountLimit })).get(clientId) ??
    noCount;
  return {
    ...application,
    users,
    grants: (await countDevices(ctx, [clientId])).get(clientId) ?? noCount,
  };
}

/**
 * Vouches for an application, or takes that back: players see it where they are asked. Nothing else changes for it.
 * A decision that stands already is left alone. An application that was changed since the admin looked at it (`version`) is outdated:
 * nobody vouches for what they have not seen. @throws UnknownOAuthClient
 */
export async function verifyApplication(
  ctx: Context,
  by: Administrator,
  {
    clientId,
    version,
    verified,
    reason,
  }: {
    readonly clientId: string;
    readonly version: number;
    readonly verified: boolean;
    /** Kept in the audit log and told the developer. */
    readonly reason?: string | undefined;
  },
  origin: Origin,
): Promise<"done" | "outdated"> {
  return ctx.database.transaction(async (tx) => {
    const application = await findLockedApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (application.version !== version) return "outdated";
    if (application.verified === verified) return "done";
    const { ownerId, name } = application;
    await markApplication(tx, clientId, {
      verifiedAt: verified ? ctx.now() : null,
      version: version + 1,
    });
    const act = verified ? "application-verified" : "application-unverified";
    const actor = auditActorOf(by);
    const details = { name, ...(reason && { reason }) };
    await ctx.audit(tx, { act, actor, accountId: ownerId, clientId, origin, details });
    const why = reason ? ` The reason given: ${reason}` : "";
    const text = verified
      ? `Your application "${name}" is verified. Players see that when it asks them for access.${why}`
      : `Your application "${name}" is no longer verified. It still works.${why}`;
    await ctx.notify(tx, ownerId, { kind: act, text });
    return "done";
  });
}

/**
 * Suspends an application: from this moment its tokens open nothing, it gets no new ones, and nobody can approve it. Nothing
 * is thrown away, so that it can be resumed. The developer reads the reason.
 * @throws UnknownOAuthClient · GeneralError when it is suspended already
 */
export async function suspendApplication(
  ctx: Context,
  by: Administrator,
  { clientId, reason }: { readonly clientId: string; readonly reason: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await findLockedApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (application.suspended)
      throw GeneralError.because({ message: "The application is suspended already." });
    const { ownerId, name } = application;
    await markApplication(tx, clientId, { suspendedAt: ctx.now(), suspendedFor: reason });
    await ctx.audit(tx, {
      act: "application-suspended",
      actor: auditActorOf(by),
      accountId: ownerId,
      clientId,
      origin,
      details: { name, reason },
    });
    await ctx.notify(tx, ownerId, {
      kind: "application-suspended",
      text: `Your application "${name}" is suspended: its tokens don't work, and nobody can approve it. The reason given: ${reason}`,
    });
    await ctx.announceRevocation(tx, { clientId });
  });
}

/**
 * Ends the suspension of an application: its tokens open again what they opened before.
 * @throws UnknownOAuthClient · GeneralError when it is not suspended, or its developer is banned
 */
export async function resumeApplication(
  ctx: Context,
  by: Administrator,
  { clientId }: { readonly clientId: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await findLockedApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (!application.suspended)
      throw GeneralError.because({ message: "The application is not suspended." });
    // Its secrets are in the hands of somebody who was told to stay out.
    if (application.ownerBanned)
      throw GeneralError.because({
        message: "Its developer is banned. Lift the ban of the account first.",
      });
    const { ownerId, name } = application;
    await markApplication(tx, clientId, { suspendedAt: null, suspendedFor: null });
    await ctx.audit(tx, {
      act: "application-resumed",
      actor: auditActorOf(by),
      accountId: ownerId,
      clientId,
      origin,
      details: { name },
    });
    await ctx.notify(tx, ownerId, {
      kind: "application-resumed",
      text: `Your application "${name}" works again: its suspension is lifted, and so do its tokens.`,
    });
    // Instances remember for a moment that it is suspended.
    await ctx.announceRevocation(tx, { clientId });
  });
}
