import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { InsufficientFactionPermissions, UnknownVaultRequest } from "#server/failures";
import { mayFulfil } from "../positions/membership";
import { ownMembership } from "../positions/read-membership";
import { closePending } from "./cancel-request";
import type { BankingPlayer } from "./show-banking";
import { findRequest } from "./store";
import { readRequestName, type VaultRequest } from "./vault-request";

/**
 * Marks a pending request of the player's own faction as paid. Whether it was is looked up in the vault's news afterwards.
 * @param which `request` is its number or its guid; another faction's is unknown, as if it did not exist
 * @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions (no banker of this kind), VaultRequestNotPending
 * (also where its time is over)
 */
export async function fulfilRequest(
  ctx: Context,
  player: BankingPlayer,
  which: { readonly request: string },
): Promise<VaultRequest> {
  const name = readRequestName(which.request);
  const fulfilled = await ctx.database.transaction(async (tx) => {
    const membership = await ownMembership(tx, player.playerId);
    const found = name && (await findRequest(tx, membership.factionId, name));
    if (!found) throw UnknownVaultRequest.because();
    if (!mayFulfil(membership, found.currency)) throw InsufficientFactionPermissions.because();
    return closePending(ctx, tx, { player, found, status: "fulfilled" });
  });
  deliverSoon(ctx);
  return fulfilled;
}
