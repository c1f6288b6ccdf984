import type { TokenHolder } from "#server/actor";
import type { Origin } from "#server/audit/audit";

/**
 * Who acts in banking, whichever way they came: an access token, the portal or the chat. What somebody may do follows from
 * the player alone, by their newest known faction and position; the rest is for the audit log.
 */
export interface BankingPlayer {
  readonly playerId: number;
  /** Null for a player of the chat who never signed in here. */
  readonly accountId: string | null;
  /** The application that acts in the player's name. */
  readonly clientId?: string | null;
  readonly origin?: Origin;
}

/** The player of a call of the API, as banking knows those who act. */
export const playerOfCall = ({ actor, origin }: { actor: TokenHolder; origin: Origin }): BankingPlayer => ({
  playerId: actor.playerId,
  accountId: actor.accountId,
  clientId: actor.clientId,
  origin,
});
