import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { UnknownOAuthClient } from "#server/failures";
import { lockApplication, markApplication } from "./store";

/**
 * Vouches for an application, or takes that back: players see it where they are asked. Nothing else changes for it.
 * What holds already is left alone. An application that was changed since the admin looked at it (`version`) is outdated:
 * nobody vouches for what they have not seen. @throws UnknownOAuthClient
 */
export async function verifyApplication(
  ctx: Context,
  admin: PortalUser,
  { clientId, version, verified }: { readonly clientId: string; readonly version: number; readonly verified: boolean },
  origin: Origin,
): Promise<"done" | "outdated"> {
  return ctx.database.transaction(async (tx) => {
    const application = await lockApplication(tx, clientId);
    if (!application) throw UnknownOAuthClient.because();
    if (application.version !== version) return "outdated";
    if (application.verified === verified) return "done";
    const { ownerId, name } = application;
    await markApplication(tx, clientId, { verifiedAt: verified ? ctx.now() : null, version: version + 1 });
    const act = verified ? "application-verified" : "application-unverified";
    const actor = `account:${admin.accountId}`;
    await ctx.audit(tx, { act, actor, accountId: ownerId, clientId, origin, details: { name } });
    const text = verified
      ? `Your application "${name}" is verified. Players see that when it asks them for access.`
      : `Your application "${name}" is no longer verified. It works as before, without the mark.`;
    await ctx.notify(tx, ownerId, { kind: act, text });
    return "done";
  });
}
