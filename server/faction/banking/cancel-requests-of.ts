import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import type { BankingPlayer } from "./banking-player";
import { cancelAllOf } from "./store";
import { doneBy, tellOfChanges } from "./tell-of-changes";

/**
 * Cancels all that a player still waits for, in their own name: whoever deletes their account wants nothing any more.
 * @returns how many
 */
export async function cancelRequestsOf(ctx: Context, tx: Queryable, player: BankingPlayer): Promise<number> {
  const cancelled = await cancelAllOf(tx, player.playerId, ctx.now());
  const doing = doneBy(player, "vault-request-cancelled");
  await tellOfChanges(
    ctx,
    tx,
    cancelled.map((request) => ({ request, doing, told: false })),
  );
  return cancelled.length;
}
