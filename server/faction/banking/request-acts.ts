import type { Queryable } from "#db/client";
import type { ActingPlayer } from "#server/actor";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import {
  InsufficientFactionPermissions,
  UnknownVaultRequest,
  VaultRequestNotPending,
} from "#server/failures";
import type { Job } from "#server/jobs/job";
import { minuteMs } from "#server/platform/time";
import { isBanker, mayFulfil, membershipIn, ownMembership } from "../positions/membership";
import { changeRequests, notifyChanges } from "./notify-changes";
import {
  cancelAllOf,
  cancelExpired,
  cancelOfLeavers,
  claimVaultRequest,
  closeVaultRequest,
  endClaims,
  findVaultRequest,
  releaseVaultRequest,
  reopenPayment,
} from "./store";
import { asOf, readRequestName, type VaultRequest } from "./vault-request";

interface OneRequest {
  /** Its number or guid. */
  readonly request: string;
}

/** A payment in the game takes less than one minute. */
const claimMs = 5 * minuteMs;

/**
 * Shows the other bankers that this one is paying a request, so that it is not paid twice. A claim
 * ends by itself, and closing a request never needs one.
 * @returns `claimed` false, and the request with the other banker's claim, if that came first
 * @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions,
 * VaultRequestNotPending
 */
export const claimRequest = (ctx: Context, by: ActingPlayer, { request: name }: OneRequest) =>
  changeRequests(ctx, async (tx) => {
    const found = await findPayable(tx, by, name);
    const at = ctx.now();
    const until = new Date(at.getTime() + claimMs);
    const request = await claimVaultRequest(tx, found.id, { by: by.playerId, at, until });
    if (request) {
      await notifyChanges(ctx, tx, { by, act: "vault_request.claimed", requests: [request] });
      return { request, claimed: true };
    }
    const held = asOf((await findVaultRequest(tx, found.factionId, { id: found.id })) ?? found, at);
    if (held.status !== "pending") throw VaultRequestNotPending.because();
    return { request: held, claimed: false };
  });

/**
 * Ends the player's own claim; without one nothing changes.
 * @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions
 */
export const releaseClaim = (ctx: Context, by: ActingPlayer, { request: name }: OneRequest) =>
  changeRequests(ctx, async (tx) => {
    const found = await findPayable(tx, by, name);
    const request = await releaseVaultRequest(tx, found.id, { by: by.playerId, at: ctx.now() });
    if (request)
      await notifyChanges(ctx, tx, { by, act: "vault_request.released", requests: [request] });
  });

/**
 * Marks a request of the player's own faction as paid; the vault's news verifies it later.
 * @throws UnknownFaction, UnknownVaultRequest (also for another faction's request),
 * InsufficientFactionPermissions, VaultRequestNotPending (also after expiry)
 */
export const fulfilRequest = (ctx: Context, by: ActingPlayer, { request: name }: OneRequest) =>
  changeRequests(ctx, async (tx) => {
    const found = await findPayable(tx, by, name);
    return closePending(ctx, tx, { by, found, status: "fulfilled" });
  });

/**
 * Marks an unverified payment as paid now and restarts its verification.
 * @throws as fulfilRequest; VaultRequestNotPending if the payment is verified or still being
 * searched
 */
export const payAgain = (ctx: Context, by: ActingPlayer, { request: name }: OneRequest) =>
  changeRequests(ctx, async (tx) => {
    const found = await findPayable(tx, by, name);
    const request = await reopenPayment(tx, found.id, { by: by.playerId, at: ctx.now() });
    if (!request) throw VaultRequestNotPending.because();
    const change = { by, act: "vault_request.fulfilled", requests: [request] } as const;
    await notifyChanges(ctx, tx, { ...change, details: { again: true } });
    return request;
  });

/** @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions */
async function findPayable(
  tx: Queryable,
  { playerId }: ActingPlayer,
  request: string,
): Promise<VaultRequest> {
  const name = readRequestName(request);
  const member = await ownMembership(tx, playerId);
  const found = name && (await findVaultRequest(tx, member.factionId, name));
  if (!found) throw UnknownVaultRequest.because();
  if (!mayFulfil(member, found.currency)) throw InsufficientFactionPermissions.because();
  return found;
}

/**
 * Cancels the player's own request, or as a banker any of the faction. Needs no chat link or key.
 * @throws UnknownFaction, InsufficientResourcePermissions, UnknownVaultRequest,
 * InsufficientFactionPermissions, VaultRequestNotPending
 */
export const cancelRequest = (
  ctx: Context,
  by: ActingPlayer,
  which: OneRequest & { readonly factionId: number; readonly reason?: string | undefined },
): Promise<VaultRequest> =>
  changeRequests(ctx, async (tx) => {
    const { reason } = which;
    const name = readRequestName(which.request);
    const member = await membershipIn(tx, by.playerId, which.factionId);
    const found = name && (await findVaultRequest(tx, member.factionId, name));
    if (!found) throw UnknownVaultRequest.because();
    if (found.playerId !== by.playerId && !isBanker(member))
      throw InsufficientFactionPermissions.because();
    return closePending(ctx, tx, { by, found, status: "cancelled", reason });
  });

export async function cancelRequestsOf(
  ctx: Context,
  tx: Queryable,
  by: ActingPlayer,
): Promise<number> {
  const requests = await cancelAllOf(tx, by.playerId, ctx.now());
  await notifyChanges(ctx, tx, { by, act: "vault_request.cancelled", requests });
  return requests.length;
}

/**
 * The caller checks permissions.
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
  const closed = { status, reason, by: by.playerId, at: ctx.now() };
  const request = await closeVaultRequest(tx, found.id, closed);
  if (!request) throw VaultRequestNotPending.because();
  const change = { by, act: `vault_request.${status}`, requests: [request] } as const;
  await notifyChanges(ctx, tx, { ...change, details: { reason } });
  return request;
}

/** Ends expired requests and claims within five seconds; uses indexes and makes no game calls. */
export const expireVaultRequests: Job = {
  name: "end-vault-requests",
  cadence: { everySeconds: 3 },
  budget: 0,
  run: (ctx, { signal }) => expireDueRequests(ctx, signal),
};

/** Keeps a transaction well under a second; a thousand expirations take a few batches. */
const batchSize = 200;

/**
 * Cancels expired requests and those of former members, and ends claims.
 * @param signal stops it between batches
 */
export async function expireDueRequests(ctx: Context, signal: AbortSignal) {
  const endings = {
    expired: await endAll(ctx, "vault_request.expired", cancelExpired, signal),
    left: await endAll(ctx, "vault_request.expired", cancelOfLeavers, signal),
    released: await endAll(ctx, "vault_request.released", endClaims, signal),
  };
  if (Object.values(endings).some((count) => count > 0)) deliverSoon(ctx);
  return endings;
}

/** A batch and its side effects commit together. */
async function endAll(
  ctx: Context,
  act: "vault_request.expired" | "vault_request.released",
  end: typeof endClaims,
  signal: AbortSignal,
): Promise<number> {
  const by = { kind: "job", name: expireVaultRequests.name } as const;
  for (let count = 0; ; ) {
    const ended = await ctx.database.transaction(async (tx) => {
      const requests = await end(tx, ctx.now(), batchSize);
      await notifyChanges(ctx, tx, { by, act, requests });
      return requests.length;
    });
    count += ended;
    if (ended < batchSize || signal.aborted) return count;
  }
}
