import {
  GameError,
  GameTimeout,
  GameUnavailable,
  UnknownFaction,
  UnknownFactionKey,
  UnknownUser,
} from "#server/failures";
import { endpoint } from "#server/rest/endpoint";
import { VaultBalance } from "../contract";
import { readVaultBalance } from "../read-vault-balance";

export const getVaultBalance = endpoint({
  method: "GET",
  path: "/faction/banking/vault",
  title: "Get Faction Member Balance",
  description:
    "What the faction's vault keeps for the user, read from the game with the key of a member who may see it. Members who " +
    "ask within two seconds share one reading; who causes more than a few readings a minute gets 4000. " +
    "1102 without a faction, 1201 where no member's key can read it, 1100 where the vault's list does not name the user.",
  tag: "Banking",
  scopes: ["faction:banking", "service_key:usage"],
  returns: VaultBalance,
  fails: [UnknownFaction, UnknownFactionKey, UnknownUser, GameError, GameUnavailable, GameTimeout],
  handle: async ({ ctx, by }) => {
    const { playerId, factionId, money, points } = await readVaultBalance(ctx, by);
    return {
      player_id: playerId,
      faction_id: factionId,
      money_balance: money,
      points_balance: points,
    };
  },
});
