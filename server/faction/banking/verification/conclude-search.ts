import type { Context } from "#server/context";
import { notifyChanges } from "../notify-changes";
import type { VaultRequest } from "../vault-request";
import type { Payment } from "./payment";
import { endSearch } from "./store";

/**
 * Writes down how the search for a request's payment ended: on the record, in the log and on the card. Where it was not found
 * the member is warned.
 * @param proof null where there is none
 * @returns false where that was done before
 */
export async function concludeSearch(ctx: Context, marked: VaultRequest, proof: Payment | null): Promise<boolean> {
  return ctx.database.transaction(async (tx) => {
    const request = await endSearch(tx, marked.id, proof);
    if (!request) return false;
    const act = proof ? "vault-request-verified" : "vault-request-unverified";
    const doing = { act, actor: "job:verify-payments" } as const;
    const details = { markedBy: marked.closedBy, paidBy: proof?.by ?? null };
    await notifyChanges(ctx, tx, [{ request, doing, details, told: !proof }]);
    return true;
  });
}
