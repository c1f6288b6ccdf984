import type { Queryable } from "#db/client";
import type { NamedPlayer } from "./cards/request-in-words";
import { findPeople } from "./store";
import { asOf, type Currency, type Outcome, outcomeOf, type VaultRequest } from "./vault-request";

/** A request as the portal shows it. */
export interface RequestView {
  readonly id: number;
  readonly guid: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly outcome: Outcome;
  readonly requester: NamedPlayer;
  readonly requestedAt: Date;
  readonly expiresAt: Date | null;
  readonly closedAt: Date | null;
  /** Who closed it; null while it is pending, and for the system. */
  readonly closer: NamedPlayer | null;
}

/** The requests as they stand at a moment, with the names of those in them. */
export async function viewRequests(
  on: Queryable,
  requests: readonly VaultRequest[],
  now: Date,
): Promise<RequestView[]> {
  const people = await findPeople(
    on,
    requests.flatMap(({ playerId, closedBy }) => [playerId, closedBy ?? playerId]),
  );
  const name = (playerId: number) => ({ playerId, name: people.get(playerId)?.name ?? "Player" });
  return requests.map((stored) => {
    const request = asOf(stored, now);
    const { id, guid, amount, currency, requestedAt, expiresAt, closedAt, closedBy } = request;
    return {
      ...{ id, guid, amount, currency, requestedAt, expiresAt, closedAt, outcome: outcomeOf(request) },
      requester: name(request.playerId),
      closer: closedBy === null ? null : name(closedBy),
    };
  });
}
