import type { Queryable } from "#db/client";
import { deliverSoon } from "#server/chat/deliver-due";
import type { Context } from "#server/context";
import { InsufficientFactionPermissions, UnknownVaultRequest } from "#server/failures";
import { isBanker } from "../positions/membership";
import { membershipIn } from "../positions/read-membership";
import type { BankingPlayer } from "./banking-player";
import { closePending } from "./close-pending";
import { attributedTo, notifyChanges } from "./notify-changes";
import { cancelAllOf, findRequest } from "./store";
import { readRequestName, type VaultRequest } from "./vault-request";

/**
 * Cancels a pending request: the player's own, or as a banker any of the faction. It needs neither a chat link nor a key.
 * @param which `request` is its number or its guid; another faction's is unknown, as if it did not exist
 * @throws UnknownFaction, InsufficientResourcePermissions, UnknownVaultRequest, InsufficientFactionPermissions,
 * VaultRequestNotPending
 */
export async function cancelRequest(
  ctx: Context,
  player: BankingPlayer,
  which: { readonly factionId: number; readonly request: string },
): Promise<VaultRequest> {
  const name = readRequestName(which.request);
  const cancelled = await ctx.database.transaction(async (tx) => {
    const membership = await membershipIn(tx, player.playerId, which.factionId);
    const found = name && (await findRequest(tx, membership.factionId, name));
    if (!found) throw UnknownVaultRequest.because();
    if (found.playerId !== player.playerId && !isBanker(membership)) throw InsufficientFactionPermissions.because();
    return closePending(ctx, tx, { player, found, status: "cancelled" });
  });
  deliverSoon(ctx);
  return cancelled;
}

/**
 * Cancels all that a player still waits for, in their own name: a player who deletes the account wants nothing any more.
 * @returns how many
 */
export async function cancelRequestsOf(ctx: Context, tx: Queryable, player: BankingPlayer): Promise<number> {
  const cancelled = await cancelAllOf(tx, player.playerId, ctx.now());
  const doing = attributedTo(player, "vault-request-cancelled");
  await notifyChanges(
    ctx,
    tx,
    cancelled.map((request) => ({ request, doing, told: false })),
  );
  return cancelled.length;
}
