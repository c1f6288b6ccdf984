import type { TokenHolder } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { BankingPlayer } from "../banking-player";

/** The player of a call of the API, as banking knows whoever acts. */
export const playerOfCall = ({ actor, origin }: { actor: TokenHolder; origin: Origin }): BankingPlayer => ({
  playerId: actor.playerId,
  accountId: actor.accountId,
  clientId: actor.clientId,
  origin,
});
