import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { GeneralError, UnknownOAuthClient } from "../../failures";
import type { ApplicationChanges } from "./contract";
import { lockOwnApplication, updateOwnApplication } from "./store";

/**
 * Changes what a developer said of an application. A scope or redirect URI that is taken away ends at once, also in tokens
 * already issued.
 * @throws UnknownOAuthClient · GeneralError when a confidential application would be left without a redirect URI
 */
export async function updateApplication(
  ctx: Context,
  user: PortalUser,
  { clientId, ...input }: ApplicationChanges & { readonly clientId: string },
  origin: Origin,
): Promise<void> {
  await ctx.database.transaction(async (tx) => {
    const key = { clientId, ownerId: user.accountId };
    const kind = await lockOwnApplication(tx, key);
    if (!kind) throw UnknownOAuthClient.because();
    if (kind === "confidential" && input.redirectUris.length === 0)
      throw GeneralError.because({ message: "A server-side application needs at least one redirect URI." });
    const { name, redirectUris, scopes, optionalScopes, clientUri, tosUri, privacyUri, privacy } = input;
    const changes = { name, redirectUris, scopes, optionalScopes, clientUri, tosUri, privacyUri, privacy };
    await updateOwnApplication(tx, key, { ...changes, updatedAt: ctx.now() });
    await ctx.audit(tx, {
      act: "application-updated",
      actor: `account:${user.accountId}`,
      accountId: user.accountId,
      clientId,
      origin,
      details: { name, scopes, optionalScopes, redirectUris },
    });
    await ctx.announceRevocation(tx, { clientId });
  });
}
