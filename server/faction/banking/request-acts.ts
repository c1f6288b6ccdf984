import { createHash } from "node:crypto";
import type { Queryable } from "#db/client";
import type { ActingPlayer } from "#server/actor";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import {
  type Failure,
  InsufficientFactionPermissions,
  InsufficientVaultBalance,
  UnknownElement,
  UnknownVaultRequest,
  VaultRequestNotPending,
} from "#server/failures";
import type { Job } from "#server/jobs/job";
import { minuteMs } from "#server/platform/time";
import { requireBankingLink } from "../chat-link/read-chat-link";
import {
  isBanker,
  mayFulfil,
  requireMembership,
  requireMembershipIn,
} from "../positions/membership";
import { readRequestIdentifier } from "./contract";
import { commitAndDeliver, notifyChanges } from "./notify-changes";
import { readMemberBalance } from "./read-vault-balance";
import {
  cancelAllOf,
  cancelExpired,
  cancelOfLeavers,
  claimVaultRequest,
  closeVaultRequest,
  endClaims,
  findVaultRequest,
  insertVaultRequest,
  lockBalance,
  releaseVaultRequest,
  restartVerification,
  sumReserved,
} from "./store";
import {
  type Amount,
  type Currency,
  describeShortBalance,
  expiryOf,
  requestAsOf,
  resolveAmount,
  type VaultRequest,
  type WaitingTime,
} from "./vault-request";

export interface Withdrawal {
  readonly factionId: number;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly expiresAt: Date | null;
  /** Idempotency key of the portal's form. */
  readonly key?: string | undefined;
}

/**
 * Requests on one balance are serialised, so that together they cannot exceed the balance. The
 * order of the checks is part of the API.
 * @throws UnknownElement, UnknownFaction, InsufficientResourcePermissions, UnknownChatServer,
 * FactionNotLinked, BankingNotConfigured, UnknownFactionKey, TooManyRequests, GameCallError,
 * InsufficientVaultBalance
 */
export async function requestWithdrawal(
  ctx: Context,
  by: ActingPlayer,
  requested: Withdrawal,
): Promise<VaultRequest> {
  const { factionId, currency, expiresAt, key } = requested;
  const { playerId } = by;
  if (expiresAt !== null && expiresAt <= ctx.now()) throw endsBefore();
  const channelOf = async (on: Queryable) => {
    await requireMembershipIn(on, playerId, factionId);
    return (await requireBankingLink(on, factionId)).channelId;
  };
  await channelOf(ctx.database.query);
  const { balance: vault, readAt } = await readMemberBalance(ctx, { playerId, factionId });
  const balance = (currency === "money_balance" ? vault?.money : vault?.points) ?? 0;

  return commitAndDeliver(ctx, async (tx) => {
    const account = { factionId, playerId, currency };
    await lockBalance(tx, account);
    // Checked again, because the game call takes seconds: the member may have left, the link may be
    // gone, or the request may have expired.
    const channelId = await channelOf(tx);
    const guid = key === undefined ? ctx.ids.uuid() : guidOf(playerId, requested);
    const earlier = key === undefined ? undefined : await findVaultRequest(tx, factionId, { guid });
    if (earlier) return earlier;
    const now = ctx.now();
    if (expiresAt !== null && expiresAt <= now) throw endsBefore();
    const holdings = { balance, spokenFor: await sumReserved(tx, account, { now, readAt }) };
    const amount = resolveAmount(requested.amount, holdings);
    if (amount === undefined)
      throw InsufficientVaultBalance.because({
        message: describeShortBalance(requested.amount, holdings, currency),
        details: { balance, pending: holdings.spokenFor },
      });
    const request = await insertVaultRequest(tx, {
      ...account,
      guid,
      amount,
      requestedAt: now,
      expiresAt,
      channelId,
    });
    await notifyChanges(ctx, tx, { by, act: "vault_request.created", requests: [request] });
    return request;
  });
}

/** @throws as requestWithdrawal */
export async function requestOwnWithdrawal(
  ctx: Context,
  by: ActingPlayer,
  requested: Pick<Withdrawal, "amount" | "currency" | "key"> & { readonly waits: WaitingTime },
): Promise<VaultRequest> {
  const { waits, ...more } = requested;
  const { factionId } = await requireMembership(ctx.database, by.playerId);
  const expiresAt = expiryOf(waits, ctx.now());
  return requestWithdrawal(ctx, by, { ...more, factionId, expiresAt });
}

/** The hash includes the contents, so that a changed amount with the same key is a new request. */
function guidOf(playerId: number, { key, amount, currency, factionId }: Withdrawal): string {
  const named = `${playerId} ${factionId} ${key} ${currency} ${amount}`;
  const hex = createHash("sha256").update(named).digest("hex");
  // UUID version 8 (RFC 9562).
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

const endsBefore = (): Failure =>
  UnknownElement.because({
    message: "The request would end before it is made.",
    details: { errors: [{ field: "timeout", message: "must lie in the future" }] },
  });

interface OneRequest {
  /** The number or guid of the request. */
  readonly request: string;
}

/** A payment in the game takes less than one minute. */
const claimMs = 5 * minuteMs;

/**
 * The claim is advisory: any banker may still close the request.
 * @returns `claimed` false, with the other banker's claim in `request`, if that claim came first
 * @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions,
 * VaultRequestNotPending
 */
export const claimRequest = (ctx: Context, by: ActingPlayer, { request: name }: OneRequest) =>
  commitAndDeliver(ctx, async (tx) => {
    const found = await findPayable(tx, by, name);
    const at = ctx.now();
    const until = new Date(at.getTime() + claimMs);
    const request = await claimVaultRequest(tx, found.id, { by: by.playerId, at, until });
    if (request) {
      await notifyChanges(ctx, tx, { by, act: "vault_request.claimed", requests: [request] });
      return { request, claimed: true };
    }
    const held = requestAsOf(
      (await findVaultRequest(tx, found.factionId, { id: found.id })) ?? found,
      at,
    );
    if (held.status !== "pending") throw VaultRequestNotPending.because();
    return { request: held, claimed: false };
  });

/** Idempotent. @throws UnknownFaction, UnknownVaultRequest, InsufficientFactionPermissions */
export const releaseClaim = (ctx: Context, by: ActingPlayer, { request: name }: OneRequest) =>
  commitAndDeliver(ctx, async (tx) => {
    const found = await findPayable(tx, by, name);
    const request = await releaseVaultRequest(tx, found.id, { by: by.playerId, at: ctx.now() });
    if (request)
      await notifyChanges(ctx, tx, { by, act: "vault_request.released", requests: [request] });
  });

/**
 * The vault's news verifies the payment later.
 * @throws UnknownFaction, UnknownVaultRequest (also for another faction's request),
 * InsufficientFactionPermissions, VaultRequestNotPending (also after expiry)
 */
export const fulfilRequest = (ctx: Context, by: ActingPlayer, { request: name }: OneRequest) =>
  commitAndDeliver(ctx, async (tx) => {
    const found = await findPayable(tx, by, name);
    return closePending(ctx, tx, { by, found, status: "fulfilled" });
  });

/**
 * Restarts the search for a payment that was not found.
 * @throws as fulfilRequest; VaultRequestNotPending if the payment is verified or still being
 * searched for
 */
export const markPaidAgain = (ctx: Context, by: ActingPlayer, { request: name }: OneRequest) =>
  commitAndDeliver(ctx, async (tx) => {
    const found = await findPayable(tx, by, name);
    const request = await restartVerification(tx, found.id, { by: by.playerId, at: ctx.now() });
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
  const name = readRequestIdentifier(request);
  const member = await requireMembership(tx, playerId);
  const found = name && (await findVaultRequest(tx, member.factionId, name));
  if (!found) throw UnknownVaultRequest.because();
  if (!mayFulfil(member, found.currency)) throw InsufficientFactionPermissions.because();
  return found;
}

/**
 * Players may cancel their own requests, and bankers all requests of the faction, without a chat
 * link or game key.
 * @throws UnknownFaction, InsufficientResourcePermissions, UnknownVaultRequest,
 * InsufficientFactionPermissions, VaultRequestNotPending
 */
export const cancelRequest = (
  ctx: Context,
  by: ActingPlayer,
  which: OneRequest & { readonly factionId: number; readonly reason?: string | undefined },
): Promise<VaultRequest> =>
  commitAndDeliver(ctx, async (tx) => {
    const { reason } = which;
    const name = readRequestIdentifier(which.request);
    const member = await requireMembershipIn(tx, by.playerId, which.factionId);
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
 * @throws VaultRequestNotPending if the request was closed meanwhile or has expired
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

export const expireVaultRequestsJob: Job = {
  name: "end-vault-requests",
  cadence: { everySeconds: 3 },
  budget: 0,
  run: (ctx, { signal }) => expireDueRequests(ctx, signal),
};

/** Keeps each transaction well under a second. */
const batchSize = 200;

export async function expireDueRequests(ctx: Context, signal: AbortSignal) {
  const endings = {
    expired: await endAll(ctx, "vault_request.expired", cancelExpired, signal),
    left: await endAll(ctx, "vault_request.expired", cancelOfLeavers, signal),
    released: await endAll(ctx, "vault_request.released", endClaims, signal),
  };
  if (Object.values(endings).some((count) => count > 0)) deliverSoon(ctx);
  return endings;
}

/** Each batch commits together with its notices, messages and events. */
async function endAll(
  ctx: Context,
  act: "vault_request.expired" | "vault_request.released",
  end: typeof endClaims,
  signal: AbortSignal,
): Promise<number> {
  const by = { kind: "job", name: expireVaultRequestsJob.name } as const;
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
