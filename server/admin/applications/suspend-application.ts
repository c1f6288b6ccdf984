import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { lockApplication, markApplication } from "./store";

/**
 * Suspends an application: from this moment its tokens open nothing, it gets no new ones, and nobody can approve it. Nothing
 * is thrown away, so that it can be resumed. The developer reads the reason.
 * @throws UnknownOAuthClient · GeneralError when it is suspended already
 */
export async function suspendApplication(
  ctx: Context,
  admin: PortalUser,
  { clientId, reason }: { readonly clientId: string; readonly reason: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (application.suspended) throw GeneralError.because({ message: "The application is suspended already." });
    const { ownerId, name } = application;
    await markApplication(tx, clientId, { suspendedAt: ctx.now(), suspendedFor: reason });
    await ctx.audit(tx, {
      act: "application-suspended",
      actor: `account:${admin.accountId}`,
      accountId: ownerId,
      clientId,
      origin,
      details: { name, reason },
    });
    await ctx.notify(tx, ownerId, {
      kind: "application-suspended",
      text: `Your application "${name}" is suspended: its tokens open nothing, and nobody can approve it. The reason given: ${reason}`,
    });
    await ctx.announceRevocation(tx, { clientId });
  });
}
