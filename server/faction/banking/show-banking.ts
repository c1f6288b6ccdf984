import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
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

const ownShown = 20;
const queueShown = 100;

export interface BankingPage {
  readonly factionId: number;
  readonly factionName: string;
  /** Only a "ready" link can take requests. */
  readonly link: ChatLink["state"];
  readonly own: readonly RequestView[];
  readonly queue: readonly RequestView[] | null;
  readonly pays: readonly Currency[];
}

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
  readonly closer: NamedPlayer | null;
}

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
  readonly own: boolean;
  readonly mayFulfil: boolean;
  readonly vaultPaymentUrl: string | null;
}

/**
 * Read-only. For anyone except the requester and the faction's bankers the request does not exist.
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
