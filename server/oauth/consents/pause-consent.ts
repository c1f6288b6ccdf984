import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { requireOwnConsent } from "./require-own-consent";
import { changeConsent } from "./store";

/**
 * Stops an application for as long as the user likes: its calls are refused from this moment and its tokens cannot be
 * refreshed, but nothing is lost. Pausing what is paused changes nothing.
 * @throws UnknownElement when the user has no such live consent
 */
export async function pauseConsent(ctx: Context, user: PortalUser, consentId: string, origin: Origin): Promise<void> {
  const { accountId } = user;
  const now = ctx.now();
  await ctx.database.transaction(async (tx) => {
    const { clientId, paused } = await requireOwnConsent(ctx, tx, { user, consentId });
    if (paused) return;
    await changeConsent(tx, consentId, { pausedAt: now, updatedAt: now });
    const actor = `account:${accountId}`;
    await ctx.audit(tx, { act: "consent-paused", actor, accountId, clientId, origin, details: { consentId } });
    await ctx.announceRevocation(tx, { consentId });
  });
}
