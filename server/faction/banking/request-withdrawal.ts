import { createHash } from "node:crypto";
import type { Queryable } from "#db/client";
import type { ActingPlayer } from "#server/actor";
import type { Context } from "#server/context";
import { type Failure, InsufficientVaultBalance, UnknownElement } from "#server/failures";
import { requireChannel } from "../chat-link/read-chat-link";
import { membershipIn, ownMembership } from "../positions/membership";
import { type Amount, describeShortBalance, fits, type Holdings } from "./amount";
import { changeRequests, notifyChanges } from "./notify-changes";
import { findVaultBalance } from "./read-vault-balance";
import { findVaultRequest, insertVaultRequest, lockBalance, sumSpokenFor } from "./store";
import { type Currency, endOfWaiting, type VaultRequest, type WaitingTime } from "./vault-request";

export interface Withdrawal {
  readonly factionId: number;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly expiresAt: Date | null;
  /** Idempotency key of the portal's form. */
  readonly key?: string | undefined;
}

/**
 * The order of checks is fixed, the balance is read live, and requests on one balance are
 * serialised.
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
    await membershipIn(on, playerId, factionId);
    return (await requireChannel(on, factionId)).channelId;
  };
  await channelOf(ctx.database.query);
  const { balance: vault, readAt } = await findVaultBalance(ctx, { playerId, factionId });
  const balance = (currency === "money_balance" ? vault?.money : vault?.points) ?? 0;

  return changeRequests(ctx, async (tx) => {
    const account = { factionId, playerId, currency };
    await lockBalance(tx, account);
    // The game call may take seconds; meanwhile the member may have left, the link may be gone, or
    // the request may have expired.
    const channelId = await channelOf(tx);
    const guid = key === undefined ? ctx.ids.uuid() : guidOf(playerId, requested);
    const earlier = key === undefined ? undefined : await findVaultRequest(tx, factionId, { guid });
    if (earlier) return earlier;
    const now = ctx.now();
    if (expiresAt !== null && expiresAt <= now) throw endsBefore();
    const holdings = { balance, spokenFor: await sumSpokenFor(tx, account, { now, readAt }) };
    const amount = fits(requested.amount, holdings);
    if (amount === undefined) throw short(requested.amount, holdings, currency);
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

/**
 * Requests from the player's current faction with one of the offered times.
 * @throws UnknownFaction, and as requestWithdrawal
 */
export async function requestOwnWithdrawal(
  ctx: Context,
  by: ActingPlayer,
  requested: Pick<Withdrawal, "amount" | "currency" | "key"> & { readonly waits: WaitingTime },
): Promise<VaultRequest> {
  const { waits, ...more } = requested;
  const { factionId } = await ownMembership(ctx.database, by.playerId);
  const expiresAt = endOfWaiting(waits, ctx.now());
  return requestWithdrawal(ctx, by, { ...more, factionId, expiresAt });
}

/**
 * UUID derived from the player, the form's key and the input: a changed amount is a new request.
 */
function guidOf(playerId: number, { key, amount, currency, factionId }: Withdrawal): string {
  const named = `${playerId} ${factionId} ${key} ${currency} ${amount}`;
  const hex = createHash("sha256").update(named).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join("-");
}

const endsBefore = (): Failure =>
  UnknownElement.because({
    message: "The request would end before it is made.",
    details: { errors: [{ field: "timeout", message: "must lie in the future" }] },
  });

function short(asked: Amount, holdings: Holdings, currency: Currency): Failure {
  const message = describeShortBalance(asked, holdings, currency);
  return InsufficientVaultBalance.because({
    message,
    details: { balance: holdings.balance, pending: holdings.spokenFor },
  });
}
