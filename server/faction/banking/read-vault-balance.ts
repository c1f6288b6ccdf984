import type { Context } from "#server/context";
import { UnknownUser } from "#server/failures";
import { waitForGame } from "#server/game/wait-for-game";
import { askVault } from "./ask-vault";
import { standingAtHome } from "./standing-in";

/** What the faction's vault keeps for a member. Below zero for a member who owes. */
export interface VaultBalance {
  readonly playerId: number;
  readonly factionId: number;
  readonly money: number;
  readonly points: number;
}

/**
 * Reads the player's balance in their own faction's vault, live from the game.
 * @throws UnknownFaction, UnknownFactionKey, UnknownUser (the vault's list does not name them), GameError
 */
export async function readVaultBalance(
  ctx: Context,
  { playerId }: { readonly playerId: number },
): Promise<VaultBalance> {
  const { factionId } = await standingAtHome(ctx.database.query, playerId);
  const balance = await findVaultBalance(ctx, { playerId, factionId });
  if (!balance) throw UnknownUser.because({ message: "The faction's vault keeps no balance for you." });
  return balance;
}

/** A member's balance, live from the game; undefined where the vault's list does not name them. */
export async function findVaultBalance(
  ctx: Context,
  { playerId, factionId }: { readonly playerId: number; readonly factionId: number },
): Promise<VaultBalance | undefined> {
  const asked = askVault(ctx, factionId, {
    priority: "guest",
    call: (game, key) => game.factionBalance(key),
    concerns: (vault) => vault.factionId,
  });
  const { members } = await waitForGame(asked);
  const own = members.find((member) => member.playerId === playerId);
  return own && { playerId, factionId, money: own.money, points: own.points };
}
