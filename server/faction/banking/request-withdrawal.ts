import { deliverSoon } from "#server/chat/deliver-soon";
import type { Context } from "#server/context";
import type { Amount } from "./amount";
import type { BankingPlayer } from "./banking-player";
import { channelOf } from "./channel-of";
import { fits } from "./fits";
import { findVaultBalance } from "./read-vault-balance";
import { insertRequest, lockBalance, sumSpokenFor } from "./store";
import { doneBy, tellOfChanges } from "./tell-of-changes";
import type { Currency, VaultRequest } from "./vault-request";
import { endsBefore, short } from "./withdrawal-refusals";

export interface Withdrawal {
  readonly factionId: number;
  /** As `readAmount` reads what was typed. */
  readonly amount: Amount;
  readonly currency: Currency;
  /** When the request ends unpaid; null: never. */
  readonly expiresAt: Date | null;
}

/**
 * Asks the player's faction to pay them from its vault. The checks come in this order, always; the balance is read live, and
 * requests that draw on it are decided one after the other.
 * @throws UnknownElement, UnknownFaction, InsufficientResourcePermissions, UnknownChatServer, FactionNotLinked,
 * BankingNotConfigured, UnknownFactionKey, TooManyRequests, GameError, InsufficientVaultBalance
 */
export async function requestWithdrawal(ctx: Context, player: BankingPlayer, wish: Withdrawal): Promise<VaultRequest> {
  const { factionId, currency, expiresAt } = wish;
  const { playerId } = player;
  if (expiresAt !== null && expiresAt <= ctx.now()) throw endsBefore();
  await channelOf(ctx.database.query, { playerId, factionId });
  const { balance: vault, readAt } = await findVaultBalance(ctx, { playerId, factionId });
  // Who does not stand in the vault's list has nothing in it.
  const balance = (currency === "money_balance" ? vault?.money : vault?.points) ?? 0;

  const made = await ctx.database.transaction(async (tx) => {
    const account = { factionId, playerId, currency };
    await lockBalance(tx, account);
    // The game may have taken seconds to answer, in which the member may have left, the link may have been removed, or the
    // request's time may have run out.
    const { channelId, roleIds } = await channelOf(tx, account);
    const now = ctx.now();
    if (expiresAt !== null && expiresAt <= now) throw endsBefore();
    const holdings = { balance, spokenFor: await sumSpokenFor(tx, account, { now, readAt }) };
    const amount = fits(wish.amount, holdings);
    if (amount === undefined) throw short(holdings, currency);
    const guid = ctx.ids.uuid();
    const request = await insertRequest(tx, { ...account, guid, amount, requestedAt: now, expiresAt, channelId });
    const doing = doneBy(player, "vault-request-created");
    await tellOfChanges(ctx, tx, [{ request, doing, mentions: roleIds, told: false }]);
    return request;
  });
  deliverSoon(ctx);
  return made;
}
