import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { UnknownElement, UnknownOAuthClient } from "../../failures";
import { isUuid } from "../uuid";
import { removeSecret } from "./secrets/store";
import { lockOwnApplication } from "./store";

/**
 * Ends a secret of the user's application at once; tokens that it obtained live on. Wants a confirmation, which the caller
 * checks.
 * @throws UnknownOAuthClient · UnknownElement when the application has no such live secret
 */
export async function deleteSecret(
  ctx: Context,
  user: PortalUser,
  key: { readonly clientId: string; readonly secretId: string },
  origin: Origin,
): Promise<void> {
  const { clientId, secretId } = key;
  await ctx.database.transaction(async (tx) => {
    if (!(await lockOwnApplication(tx, { clientId, ownerId: user.accountId }))) throw UnknownOAuthClient.because();
    const name = isUuid(secretId) ? await removeSecret(tx, { clientId, secretId }, ctx.now()) : undefined;
    if (name === undefined) throw UnknownElement.because({ message: "The application has no such secret." });
    await ctx.audit(tx, {
      act: "secret-deleted",
      actor: `account:${user.accountId}`,
      accountId: user.accountId,
      clientId,
      origin,
      details: { secretId, name },
    });
    await ctx.announceRevocation(tx, { clientId });
  });
}
