import type { Queryable } from "#db/client";
import type { ActingPlayer } from "#server/actor";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import {
  InsufficientFactionPermissions,
  UnknownVaultRequest,
  VaultRequestNotPending,
} from "#server/failures";
import { isBanker, mayFulfil, membershipIn, ownMembership } from "../positions/membership";
import { notifyChanges } from "./notify-changes";
import { cancelAllOf, closeVaultRequest, findVaultRequest, reopenPayment } from "./store";
import { readRequestName, type VaultRequest } from "./vault-request";

/**
 * Marks a request of the player's own faction as paid; the vault's news verifies it later.
 * @throws UnknownFaction, UnknownVaultRequest (also for another faction's request),
 * InsufficientFactionPermissions, VaultRequestNotPending (also after expiry)
 */
export const fulfilRequest = (
  ctx: Context,
  by: ActingPlayer,
  which: { readonly request: string },
) =>
  pay(ctx, by, {
    request: which.request,
    close: (tx, found) => closePending(ctx, tx, { by, found, status: "fulfilled" }),
  });

/**
 * Marks an unverified payment as paid now and restarts its verification.
 * @throws as fulfilRequest; VaultRequestNotPending if the payment is verified or still being
 * searched
 */
export const payAgain = (ctx: Context, by: ActingPlayer, which: { readonly request: string }) =>
  pay(ctx, by, {
    request: which.request,
    async close(tx, found) {
      const request = await reopenPayment(tx, found.id, { by: by.playerId, at: ctx.now() });
      if (!request) throw VaultRequestNotPending.because();
      const change = { request, details: { again: true }, told: true };
      await notifyChanges(ctx, tx, { by, act: "vault_request.fulfilled", changes: [change] });
      return request;
    },
  });

async function pay(
  ctx: Context,
  by: ActingPlayer,
  payment: {
    readonly request: string;
    readonly close: (tx: Queryable, found: VaultRequest) => Promise<VaultRequest>;
  },
): Promise<VaultRequest> {
  const fulfilled = await ctx.database.transaction(async (tx) =>
    payment.close(tx, await findPayable(tx, by, payment.request)),
  );
  deliverSoon(ctx);
  return fulfilled;
}

/** @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions */
export async function findPayable(
  tx: Queryable,
  { playerId }: ActingPlayer,
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
  by: ActingPlayer,
  which: {
    readonly factionId: number;
    readonly request: string;
    readonly reason?: string | undefined;
  },
): Promise<VaultRequest> {
  const name = readRequestName(which.request);
  const cancelled = await ctx.database.transaction(async (tx) => {
    const membership = await membershipIn(tx, by.playerId, which.factionId);
    const found = name && (await findVaultRequest(tx, membership.factionId, name));
    if (!found) throw UnknownVaultRequest.because();
    if (found.playerId !== by.playerId && !isBanker(membership))
      throw InsufficientFactionPermissions.because();
    const { reason } = which;
    return closePending(ctx, tx, { by, found, status: "cancelled", reason });
  });
  deliverSoon(ctx);
  return cancelled;
}

export async function cancelRequestsOf(
  ctx: Context,
  tx: Queryable,
  by: ActingPlayer,
): Promise<number> {
  const cancelled = await cancelAllOf(tx, by.playerId, ctx.now());
  const changes = cancelled.map((request) => ({ request, told: false }));
  await notifyChanges(ctx, tx, { by, act: "vault_request.cancelled", changes });
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
    readonly by: ActingPlayer;
    readonly found: VaultRequest;
    readonly status: "fulfilled" | "cancelled";
    readonly reason?: string | undefined;
  },
): Promise<VaultRequest> {
  const { by, found, status, reason } = closing;
  const request = await closeVaultRequest(tx, found.id, {
    ...{ status, reason },
    by: by.playerId,
    at: ctx.now(),
  });
  if (!request) throw VaultRequestNotPending.because();
  const told = status === "fulfilled" || request.playerId !== by.playerId;
  await notifyChanges(ctx, tx, {
    by,
    act: `vault_request.${status}`,
    changes: [{ request, details: { reason }, told }],
  });
  return request;
}
