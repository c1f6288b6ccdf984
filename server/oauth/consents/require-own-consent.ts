import type { Queryable } from "#db/client";
import type { PortalUser } from "../../actor";
import type { Context } from "../../context";
import { UnknownElement } from "../../failures";
import { isUuid } from "../uuid";
import { lockOwnConsent, type OwnConsent } from "./store";

/**
 * The user's live consent, held until the end of the transaction.
 * @throws UnknownElement for another's, an ended one and one that never was, all alike
 */
export async function requireOwnConsent(
  ctx: Context,
  tx: Queryable,
  own: { readonly user: PortalUser; readonly consentId: string },
): Promise<OwnConsent> {
  const key = { id: own.consentId, accountId: own.user.accountId };
  const consent = isUuid(key.id) ? await lockOwnConsent(tx, key, ctx.now()) : undefined;
  if (!consent) throw UnknownElement.because({ message: "The application has no access that could be changed." });
  return consent;
}
