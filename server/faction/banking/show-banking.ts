import type { Queryable } from "#db/client";
import type { PortalUser, TokenHolder } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { UnknownVaultRequest } from "#server/failures";
import { vaultPaymentUrl } from "#server/game/site-urls";
import type { NamedPlayer } from "#server/users/player";
import { type ChatLink, readChatLink } from "../chat-link/read-chat-link";
import { isBanker, mayFulfil, readMembership } from "../positions/membership";
import { findPeople, findVaultRequest, listMatching } from "./store";
import {
  asOf,
  type Currency,
  currencies,
  type Outcome,
  outcomeOf,
  readRequestName,
  type VaultRequest,
} from "./vault-request";

/** The most of the user's own requests on a page, open and closed. */
const ownShown = 20;
/** The most waiting requests that a banker is shown at once. */
const queueShown = 100;

/** The vault's page of a member, and what a banker finds there besides. Nothing in it is asked of the game. */
export interface BankingPage {
  readonly factionId: number;
  readonly factionName: string;
  /** Only a faction whose link is "ready" can take requests. */
  readonly link: ChatLink["state"];
  readonly own: readonly RequestView[];
  /** What waits for a banker, the oldest first; null for who is none. */
  readonly queue: readonly RequestView[] | null;
  /** What the user's position lets them pay out. */
  readonly pays: readonly Currency[];
}

/** Shows the vault's page of the user's own faction; null for a player without one. */
export async function showBanking(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<BankingPage | null> {
  const on = ctx.database.query;
  const now = ctx.now();
  const membership = await readMembership(ctx.database, playerId);
  const { factionId, factionName } = membership;
  if (factionId === null) return null;
  const [link, own, queue] = await Promise.all([
    readChatLink(on, factionId),
    listMatching(on, { factionId, playerId, pendingOnly: false, now, limit: ownShown }),
    isBanker(membership)
      ? listMatching(on, { factionId, pendingOnly: true, now, limit: queueShown })
      : null,
  ]);
  return {
    factionId,
    factionName: factionName ?? `Faction ${factionId}`,
    link: link.state,
    own: await viewRequests(on, own, now),
    queue: queue && (await viewRequests(on, queue.reverse(), now)),
    pays: currencies.filter((currency) => mayFulfil(membership, currency)),
  };
}

/** How many requests of the user's faction wait that the user may pay out; at most as many as the queue shows. */
export async function countPayableRequests(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<number> {
  const on = ctx.database.query;
  const membership = await readMembership(ctx.database, playerId);
  const { factionId } = membership;
  if (factionId === null || !isBanker(membership)) return 0;
  const waiting = await listMatching(on, {
    factionId,
    pendingOnly: true,
    now: ctx.now(),
    limit: queueShown,
  });
  return waiting.filter(({ currency }) => mayFulfil(membership, currency)).length;
}

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
      ...{
        id,
        guid,
        amount,
        currency,
        requestedAt,
        expiresAt,
        closedAt,
        outcome: outcomeOf(request),
      },
      requester: name(request.playerId),
      closer: closedBy === null ? null : name(closedBy),
    };
  });
}

export interface FulfilmentView {
  readonly factionId: number;
  readonly request: RequestView;
  /** Whether the user made it. */
  readonly own: boolean;
  /** Whether the user's position lets them pay out this kind. */
  readonly mayFulfil: boolean;
  /** The game's page where it is paid, filled in; null where the game is simulated. */
  readonly vaultPaymentUrl: string | null;
}

/**
 * Shows a request to a banker of its faction and to the member who made it, and changes nothing. To everybody else, also with the
 * link, it does not exist.
 * @throws UnknownVaultRequest
 */
export async function showForFulfilment(
  ctx: Context,
  { playerId }: Pick<PortalUser, "playerId">,
  guid: string,
): Promise<FulfilmentView> {
  const on = ctx.database.query;
  const membership = await readMembership(ctx.database, playerId);
  const name = readRequestName(guid);
  if (membership.factionId === null || !name || !("guid" in name))
    throw UnknownVaultRequest.because();
  const found = await findVaultRequest(on, membership.factionId, name);
  const own = found?.playerId === playerId;
  if (!found || (!own && !isBanker(membership))) throw UnknownVaultRequest.because();
  const [request] = await viewRequests(on, [found], ctx.now());
  if (!request) throw UnknownVaultRequest.because();
  const { currency, factionId } = found;
  return {
    ...{ factionId, request, own },
    mayFulfil: mayFulfil(membership, currency),
    vaultPaymentUrl: vaultPaymentUrl(ctx.settings, found),
  };
}

/**
 * The player who acts in banking, by an access token, the portal or the chat. Their rights follow from
 * the player alone, by their newest known faction and position; the rest is for the audit log.
 */
export interface BankingPlayer {
  readonly playerId: number;
  /** Null for a player of the chat who never signed in here. */
  readonly accountId: string | null;
  /** The application that acts in the player's name. */
  readonly clientId?: string | null;
  readonly origin: Origin;
}

/** The player of a call of the API, as banking knows those who act. */
export const playerOfCall = ({
  actor,
  origin,
}: {
  actor: TokenHolder;
  origin: Origin;
}): BankingPlayer => ({
  playerId: actor.playerId,
  accountId: actor.accountId,
  clientId: actor.clientId,
  origin,
});
