import type { Context } from "#server/context";
import type { Amount } from "./amount";
import type { BankingPlayer } from "./banking-player";
import { requestWithdrawal } from "./request-withdrawal";
import { standingAtHome } from "./standing-in";
import type { Currency, VaultRequest } from "./vault-request";
import { endOfWaiting, type WaitingTime } from "./waiting-times";

/**
 * Asks the player's own faction, whichever that is, for a payment that waits for one of the offered times.
 * @throws UnknownFaction, and what requestWithdrawal throws
 */
export async function requestOwnWithdrawal(
  ctx: Context,
  player: BankingPlayer,
  wish: { readonly amount: Amount; readonly currency: Currency; readonly waits: WaitingTime },
): Promise<VaultRequest> {
  const { amount, currency, waits } = wish;
  const { factionId } = await standingAtHome(ctx.database.query, player.playerId);
  return requestWithdrawal(ctx, player, { factionId, amount, currency, expiresAt: endOfWaiting(waits, ctx.now()) });
}
