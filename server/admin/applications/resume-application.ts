import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { GeneralError, UnknownOAuthClient } from "#server/failures";
import { lockApplication, markApplication } from "./store";

/**
 * Ends the suspension of an application: its tokens open again what they opened before.
 * @throws UnknownOAuthClient · GeneralError when it is not suspended, or its developer is banned
 */
export async function resumeApplication(
  ctx: Context,
  admin: PortalUser,
  { clientId }: { readonly clientId: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (!application.suspended) throw GeneralError.because({ message: "The application is not suspended." });
    // Its secrets are in the hands of somebody who was told to stay out.
    if (application.ownerBanned)
      throw GeneralError.because({ message: "Its developer is banned. Lift the ban of the account first." });
    const { ownerId, name } = application;
    await markApplication(tx, clientId, { suspendedAt: null, suspendedFor: null });
    await ctx.audit(tx, {
      act: "application-resumed",
      actor: `account:${admin.accountId}`,
      accountId: ownerId,
      clientId,
      origin,
      details: { name },
    });
    await ctx.notify(tx, ownerId, {
      kind: "application-resumed",
      text: `Your application "${name}" works again: its suspension is lifted, and its tokens open what they opened before.`,
    });
    // Instances remember for a moment that it is suspended.
    await ctx.announceRevocation(tx, { clientId });
  });
}
