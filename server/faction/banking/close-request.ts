import type { Queryable } from "#db/client";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import {
  InsufficientFactionPermissions,
  UnknownVaultRequest,
  VaultRequestNotPending,
} from "#server/failures";
import { isBanker, mayFulfil, membershipIn, ownMembership } from "../positions/membership";
import { attributedTo, notifyChanges } from "./notify-changes";
import type { BankingPlayer } from "./show-banking";
import { cancelAllOf, closeVaultRequest, findVaultRequest, reopenPayment } from "./store";
import { readRequestName, type VaultRequest } from "./vault-request";

/**
 * Marks a request of the player's own faction as paid; the vault's news verifies it later.
 * @throws UnknownFaction, UnknownVaultRequest (also for another faction's request),
 * InsufficientFactionPermissions, VaultRequestNotPending (also after expiry)
 */
export const fulfilRequest = (
  ctx: Context,
  player: BankingPlayer,
  which: { readonly request: string },
) =>
  pay(ctx, player, {
    request: which.request,
    close: (tx, found) => closePending(ctx, tx, { player, found, status: "fulfilled" }),
  });

/**
 * Marks an unverified payment as paid now and restarts its verification.
 * @throws as fulfilRequest; VaultRequestNotPending if the payment is verified or still being
 * searched
 */
export const payAgain = (
  ctx: Context,
  player: BankingPlayer,
  which: { readonly request: string },
) =>
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
  const fulfilled = await ctx.database.transaction(async (tx) =>
    payment.close(tx, await findPayable(tx, player, payment.request)),
  );
  deliverSoon(ctx);
  return fulfilled;
}

/** @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions */
export async function findPayable(
  tx: Queryable,
  { playerId }: BankingPlayer,
  request: string,
): Promise<VaultRequest> {
  const name = readRequestName(request);
  const membership = await ownMembership(tx, playerId);
  const found = name && (await findVaultRequest(tx, membership.factionId, name));
  if (!found) throw UnknownVaultRequest.because();
  if (!mayFulfil(membership, found.currency)) throw InsufficientFactionPermissions.because();
  return found;
}

/**
 * Cancels the player's own request, or as a banker any of the faction. Needs no chat link or key.
 * @throws UnknownFaction, InsufficientResourcePermissions, UnknownVaultRequest,
 * InsufficientFactionPermissions, VaultRequestNotPending
 */
export async function cancelRequest(
  ctx: Context,
  player: BankingPlayer,
  which: {
    readonly factionId: number;
    readonly request: string;
    readonly reason?: string | undefined;
  },
): Promise<VaultRequest> {
  const name = readRequestName(which.request);
  const cancelled = await ctx.database.transaction(async (tx) => {
    const membership = await membershipIn(tx, player.playerId, which.factionId);
    const found = name && (await findVaultRequest(tx, membership.factionId, name));
    if (!found) throw UnknownVaultRequest.because();
    if (found.playerId !== player.playerId && !isBanker(membership))
      throw InsufficientFactionPermissions.because();
    const { reason } = which;
    return closePending(ctx, tx, { player, found, status: "cancelled", reason });
  });
  deliverSoon(ctx);
  return cancelled;
}

export async function cancelRequestsOf(
  ctx: Context,
  tx: Queryable,
  player: BankingPlayer,
): Promise<number> {
  const cancelled = await cancelAllOf(tx, player.playerId, ctx.now());
  const doing = attributedTo(player, "vault-request-cancelled");
  await notifyChanges(
    ctx,
    tx,
    cancelled.map((request) => ({ request, doing, told: false })),
  );
  return cancelled.length;
}

/**
 * Closes a request with its audit entry, card and notice. The caller checks permissions.
 * @throws VaultRequestNotPending if another caller closed it first or it has expired
 */
async function closePending(
  ctx: Context,
  tx: Queryable,
  closing: {
    readonly player: BankingPlayer;
    readonly found: VaultRequest;
    readonly status: "fulfilled" | "cancelled";
    readonly reason?: string | undefined;
  },
): Promise<VaultRequest> {
  const { player, found, status, reason } = closing;
  const request = await closeVaultRequest(tx, found.id, {
    ...{ status, reason },
    by: player.playerId,
    at: ctx.now(),
  });
  if (!request) throw VaultRequestNotPending.because();
  const doing = attributedTo(
    player,
    status === "fulfilled" ? "vault-request-fulfilled" : "vault-request-cancelled",
  );
  const told = status === "fulfilled" || request.playerId !== player.playerId;
  await notifyChanges(ctx, tx, [{ request, doing, details: { reason }, told }]);
  return request;
}
