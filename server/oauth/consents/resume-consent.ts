import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { requireOwnConsent } from "./require-own-consent";
import { changeConsent } from "./store";

/**
 * Lets a paused application go on where it was stopped. Every instance is told, so that none goes on refusing what it
 * remembers as paused.
 * @throws UnknownElement when the user has no such live consent
 */
export async function resumeConsent(ctx: Context, user: PortalUser, consentId: string, origin: Origin): Promise<void> {
  const { accountId } = user;
  const now = ctx.now();
  await ctx.database.transaction(async (tx) => {
    const { clientId, paused } = await requireOwnConsent(ctx, tx, { user, consentId });
    if (!paused) return;
    await changeConsent(tx, consentId, { pausedAt: null, updatedAt: now });
    const actor = `account:${accountId}`;
    await ctx.audit(tx, { act: "consent-resumed", actor, accountId, clientId, origin, details: { consentId } });
    await ctx.announceRevocation(tx, { consentId });
  });
}
