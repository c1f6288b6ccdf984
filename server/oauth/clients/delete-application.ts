import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { GeneralError, UnknownOAuthClient } from "../../failures";
import { endApplication } from "./end-application";
import { requireOwnApplication } from "./require-own-application";

/**
 * Deletes an application of the user. Its row stays, for the names in what it left behind; its tokens, codes and consents
 * open nothing from this moment, and its players are told. Wants a confirmation, which the caller checks.
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
    const { name } = await requireOwnApplication(tx, user, clientId);
    if (name !== confirmName.trim())
      throw GeneralError.because({ message: "Type the application's name exactly as it stands above." });
    const ended = await endApplication(ctx, tx, { clientId, name, ownerId: user.accountId, origin });
    if (!ended) throw UnknownOAuthClient.because();
  });
}
