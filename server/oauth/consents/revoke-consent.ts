import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { UnknownElement } from "../../failures";
import { isUuid } from "../uuid";
import { endConsent } from "./store";

/**
 * Takes back what the user allowed an application: its tokens on all devices are dead from this moment.
 * @throws UnknownElement when the user has no such live consent
 */
export async function revokeConsent(ctx: Context, user: PortalUser, consentId: string, origin: Origin): Promise<void> {
  const { accountId } = user;
  await ctx.database.transaction(async (tx) => {
    const ended = isUuid(consentId) ? await endConsent(tx, { id: consentId, accountId }, ctx.now()) : undefined;
    if (!ended) throw UnknownElement.because({ message: "The application has no access that could be revoked." });
    await ctx.audit(tx, {
      act: "consent-revoked",
      actor: `account:${accountId}`,
      accountId,
      clientId: ended.clientId,
      origin,
      details: { consentId },
    });
    await ctx.announceRevocation(tx, { consentId });
  });
}
