import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { endAllConsents } from "./store";

/** Takes back everything that the user allowed any application. @returns how many consents that were */
export async function revokeAllConsents(ctx: Context, user: PortalUser, origin: Origin): Promise<number> {
  const { accountId } = user;
  return ctx.database.transaction(async (tx) => {
    const clientIds = await endAllConsents(tx, accountId, ctx.now());
    for (const clientId of clientIds)
      await ctx.audit(tx, { act: "consent-revoked", actor: `account:${accountId}`, accountId, clientId, origin });
    if (clientIds.length > 0) await ctx.announceRevocation(tx, { accountId });
    return clientIds.length;
  });
}
