import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { GeneralError, UnknownOAuthClient } from "../../failures";
import { isClientId } from "./client";
import { findApplication, updateOwnApplication } from "./store";

/**
 * Deletes an application of the user. Its row stays, for the names in what it left behind; its tokens, codes and consents
 * open nothing from this moment. Wants a fresh sign-in, which the caller checks.
 * @param confirmName the application's name, typed by the developer
 * @throws UnknownOAuthClient · GeneralError when the typed name is another
 */
export async function deleteApplication(
  ctx: Context,
  user: PortalUser,
  { clientId, confirmName }: { readonly clientId: string; readonly confirmName: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const application = isClientId(clientId) ? await findApplication(tx, clientId) : undefined;
    if (application?.ownerId !== user.accountId) throw UnknownOAuthClient.because();
    if (application.name !== confirmName.trim())
      throw GeneralError.because({ message: "Type the application's name exactly as it stands above." });
    const key = { clientId, ownerId: user.accountId };
    const deleted = await updateOwnApplication(tx, key, { updatedAt: ctx.now(), deletedAt: ctx.now() });
    if (!deleted) throw UnknownOAuthClient.because();
    await ctx.audit(tx, {
      act: "application-deleted",
      actor: `account:${user.accountId}`,
      accountId: user.accountId,
      clientId,
      origin,
      details: { name: application.name },
    });
    await ctx.announceRevocation(tx, { clientId });
  });
}
