import type { Queryable } from "#db/client";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { InsufficientFactionPermissions, UnknownVaultRequest, VaultRequestNotPending } from "#server/failures";
import { mayFulfil } from "../positions/membership";
import { ownMembership } from "../positions/read-membership";
import { closePending } from "./cancel-request";
import { attributedTo, notifyChanges } from "./notify-changes";
import type { BankingPlayer } from "./show-banking";
import { findVaultRequest, reopenPayment } from "./store";
import { readRequestName, type VaultRequest } from "./vault-request";

/**
 * Marks a pending request of the player's own faction as paid. Whether it was is looked up in the vault's news afterwards.
 * @param which `request` is its number or its guid; another faction's is unknown, as if it did not exist
 * @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions (no banker of this kind), VaultRequestNotPending
 * (also where its time is over)
 */
export const fulfilRequest = (ctx: Context, player: BankingPlayer, which: { readonly request: string }) =>
  pay(ctx, player, {
    request: which.request,
    close: (tx, found) => closePending(ctx, tx, { player, found, status: "fulfilled" }),
  });

/**
 * Marks a request of the player's own faction as paid now that was marked before, where the vault's news did not show a payment.
 * The search for it starts over.
 * @throws as fulfilRequest; VaultRequestNotPending where the payment was seen, or is still looked for
 */
export const payAgain = (ctx: Context, player: BankingPlayer, which: { readonly request: string }) =>
  pay(ctx, player, {
    request: which.request,
    async close(tx, found) {
      const request = await reopenPayment(tx, found.id, { by: player.playerId, at: ctx.now() });
      if (!request) throw VaultRequestNotPending.because();
      const doing = attributedTo(player, "vault-request-fulfilled");
      await notifyChanges(ctx, tx, [{ request, doing, details: { again: true }, told: true }]);
      return request;
    },
  });

async function pay(
  ctx: Context,
  player: BankingPlayer,
  payment: {
    readonly request: string;
    readonly close: (tx: Queryable, found: VaultRequest) => Promise<VaultRequest>;
  },
): Promise<VaultRequest> {
  const name = readRequestName(payment.request);
  const fulfilled = await ctx.database.transaction(async (tx) => {
    const membership = await ownMembership(tx, player.playerId);
    const found = name && (await findVaultRequest(tx, membership.factionId, name));
    if (!found) throw UnknownVaultRequest.because();
    if (!mayFulfil(membership, found.currency)) throw InsufficientFactionPermissions.because();
    return payment.close(tx, found);
  });
  deliverSoon(ctx);
  return fulfilled;
}
