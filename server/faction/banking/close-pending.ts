import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { VaultRequestNotPending } from "#server/failures";
import type { BankingPlayer } from "./banking-player";
import { attributedTo, notifyChanges } from "./notify-changes";
import { closeRequest } from "./store";
import type { VaultRequest } from "./vault-request";

/**
 * Closes a request in a player's name, with all that belongs to it: the log, the card, a notice to the member who made it. Who may do
 * so was decided before.
 * @throws VaultRequestNotPending for all but one of those who try, and where the request's time is over
 */
export async function closePending(
  ctx: Context,
  tx: Queryable,
  closing: {
    readonly player: BankingPlayer;
    readonly found: VaultRequest;
    readonly status: "fulfilled" | "cancelled";
  },
): Promise<VaultRequest> {
  const { player, found, status } = closing;
  const request = await closeRequest(tx, found.id, { status, by: player.playerId, at: ctx.now() });
  if (!request) throw VaultRequestNotPending.because();
  const doing = attributedTo(player, status === "fulfilled" ? "vault-request-fulfilled" : "vault-request-cancelled");
  // Who cancels their own request knows it.
  const told = status === "fulfilled" || request.playerId !== player.playerId;
  await notifyChanges(ctx, tx, [{ request, doing, told }]);
  return request;
}
