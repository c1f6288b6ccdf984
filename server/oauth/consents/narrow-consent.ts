import type { PortalUser } from "../../actor";
import type { Origin } from "../../audit/audit";
import type { Context } from "../../context";
import { covers, takeAway } from "../../scopes";
import { knownScopes } from "../scope-list";
import { requireOwnConsent } from "./require-own-consent";
import { changeConsent } from "./store";

/**
 * Takes some of its scopes from an application. Tokens on all devices lose them at this moment, and a refresh gives tokens
 * without them. Nothing is ever added: what is named to be kept and was not allowed is passed over.
 * @param narrowed.shown what the player saw and could have taken; what was allowed since then stays
 * @throws UnknownElement when the user has no such live consent
 */
export async function narrowConsent(
  ctx: Context,
  user: PortalUser,
  narrowed: { readonly consentId: string; readonly shown: readonly string[]; readonly keep: readonly string[] },
  origin: Origin,
): Promise<void> {
  const { consentId, shown, keep } = narrowed;
  const unticked = knownScopes(shown.filter((scope) => !keep.includes(scope)));
  const { accountId } = user;
  await ctx.database.transaction(async (tx) => {
    const { clientId, scopes: held } = await requireOwnConsent(ctx, tx, { user, consentId });
    const unkept = held.filter((scope) => covers(unticked, scope) && !keep.includes(scope));
    const scopes = takeAway(held, unkept);
    const lost = held.filter((scope) => !scopes.includes(scope));
    if (lost.length === 0) return;
    await changeConsent(tx, consentId, { scopes, updatedAt: ctx.now() });
    const actor = `account:${accountId}`;
    const details = { consentId, scopes, lost };
    await ctx.audit(tx, { act: "consent-narrowed", actor, accountId, clientId, origin, details });
    await ctx.announceRevocation(tx, { consentId });
  });
}
