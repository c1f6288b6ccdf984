import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { UnknownVaultRequest } from "#server/failures";
import { vaultPaymentUrl } from "#server/game/site-urls";
import type { NamedPlayer } from "#server/users/player";
import { type ChatLink, readChatLink } from "../chat-link/read-chat-link";
import {
  isBanker,
  type Member,
  type Membership,
  mayFulfil,
  readMembership,
} from "../positions/membership";
import type { Holdings } from "./amount";
import { type Outcome, outcomeOf } from "./outcome";
import {
  findPeople,
  findVaultReading,
  findVaultRequest,
  listMatching,
  listPending,
  namesFrom,
  peopleOf,
  sumSpokenFor,
} from "./store";
import {
  asOf,
  type Currency,
  claimOn,
  currencies,
  readRequestName,
  type VaultRequest,
} from "./vault-request";

const ownShown = 20;
const queueShown = 100;
/** More than bankers can pay before the oldest expire. */
const mostPending = 1_000;

/** From the address; unknown currencies and names filter nothing. */
export interface QueueFilter {
  readonly currency?: Currency | undefined;
  /** Part of the member's name. */
  readonly member?: string | undefined;
}

export interface BankingPage {
  readonly factionId: number;
  readonly factionName: string;
  /** Only a "ready" link can take requests. */
  readonly link: ChatLink["state"];
  readonly own: readonly RequestView[];
  readonly queue: Queue | null;
  readonly pays: readonly Currency[];
  readonly balance: StoredBalance | null;
}

interface Queue {
  /** The oldest that fit the filter, oldest first. */
  readonly requests: readonly RequestView[];
  readonly fitting: number;
  readonly waiting: number;
  readonly totals: Readonly<Record<Currency, number>>;
}

export async function showBanking(
  ctx: Context,
  { playerId }: PortalUser,
  filter: QueueFilter = {},
): Promise<BankingPage | null> {
  const on = ctx.database.query;
  const now = ctx.now();
  const membership = await readMembership(ctx.database, playerId);
  const { factionId, factionName } = membership;
  if (factionId === null) return null;
  const [link, own, queue, balance] = await Promise.all([
    readChatLink(on, factionId),
    listOwn(on, { factionId, playerId, now }),
    isBanker(membership) ? showQueue(on, { factionId, now, filter }) : null,
    findStoredBalance(on, { playerId, factionId }, now),
  ]);
  return {
    factionId,
    factionName: factionName ?? `Faction ${factionId}`,
    link: link.state,
    own: await viewRequests(on, own, now),
    queue,
    pays: payableBy(membership),
    balance,
  };
}

const listOwn = (
  on: Queryable,
  of: { readonly factionId: number; readonly playerId: number; readonly now: Date },
): Promise<VaultRequest[]> => listMatching(on, { ...of, pendingOnly: false, limit: ownShown });

/** Bankers see the faction's, oldest first, and others their own. */
export async function listWaiting(
  on: Queryable,
  member: Member,
  now: Date,
): Promise<VaultRequest[]> {
  const { factionId, playerId } = member;
  if (isBanker(member)) return listPending(on, { factionId, now, limit: mostPending });
  const own = await listOwn(on, { factionId, playerId, now });
  return own.filter((request) => asOf(request, now).status === "pending");
}

/** Currencies that the member's position may pay out. */
export const payableBy = (membership: Membership): Currency[] =>
  currencies.filter((currency) => mayFulfil(membership, currency));

async function showQueue(
  on: Queryable,
  { factionId, now, filter }: { factionId: number; now: Date; filter: QueueFilter },
): Promise<Queue> {
  const pending = await listPending(on, { factionId, now, limit: mostPending });
  const views = await viewRequests(on, pending, now);
  const member = filter.member?.toLowerCase() ?? "";
  const fitting = views.filter(
    ({ currency, requester }) =>
      (filter.currency === undefined || currency === filter.currency) &&
      requester.name.toLowerCase().includes(member),
  );
  const sum = (currency: Currency) =>
    pending.reduce((total, one) => total + (one.currency === currency ? one.amount : 0), 0);
  return {
    requests: fitting.slice(0, queueShown),
    fitting: fitting.length,
    waiting: pending.length,
    totals: { money_balance: sum("money_balance"), points_balance: sum("points_balance") },
  };
}

/** Of the newest reading, not of the game now. */
export interface StoredBalance {
  readonly readAt: Date;
  readonly holdings: Readonly<Record<Currency, Holdings>>;
}

async function findStoredBalance(
  on: Queryable,
  of: { readonly playerId: number; readonly factionId: number },
  now: Date,
): Promise<StoredBalance | null> {
  const reading = await findVaultReading(on, of.factionId);
  const own = reading?.balances.find(({ playerId }) => playerId === of.playerId);
  if (!reading || !own) return null;
  const { readAt } = reading;
  const [money, points] = await Promise.all(
    currencies.map((currency) => sumSpokenFor(on, { ...of, currency }, { now, readAt })),
  );
  return {
    readAt,
    holdings: {
      money_balance: { balance: own.money, spokenFor: money ?? 0 },
      points_balance: { balance: own.points, spokenFor: points ?? 0 },
    },
  };
}

export interface MemberBalances {
  readonly factionName: string;
  /** Currencies that the user's position may pay out, and so may see. */
  readonly pays: readonly Currency[];
  /** Null before the first reading. */
  readonly readAt: Date | null;
  readonly members: readonly {
    readonly player: NamedPlayer;
    readonly balances: Readonly<Partial<Record<Currency, number>>>;
  }[];
}

/**
 * All balances of the newest reading, in the currencies that the position may pay out: the game
 * shows them to the same members. Null for others.
 */
export async function showMemberBalances(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<MemberBalances | null> {
  const on = ctx.database.query;
  const membership = await readMembership(ctx.database, playerId);
  const { factionId, factionName } = membership;
  const pays = payableBy(membership);
  if (factionId === null || pays.length === 0) return null;
  const { readAt = null, balances = [] } = (await findVaultReading(on, factionId)) ?? {};
  const people = await findPeople(
    on,
    balances.map((one) => one.playerId),
  );
  const name = namesFrom(people);
  return {
    factionName: factionName ?? `Faction ${factionId}`,
    pays,
    readAt,
    members: balances.map((one) => ({
      player: name(one.playerId),
      balances: {
        ...(pays.includes("money_balance") && { money_balance: one.money }),
        ...(pays.includes("points_balance") && { points_balance: one.points }),
      },
    })),
  };
}

export async function countPayableRequests(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<number> {
  const membership = await readMembership(ctx.database, playerId);
  const { factionId } = membership;
  if (factionId === null || !isBanker(membership)) return 0;
  const waiting = await listPending(ctx.database.query, {
    ...{ factionId, now: ctx.now() },
    limit: queueShown,
  });
  return waiting.filter(({ currency }) => mayFulfil(membership, currency)).length;
}

export interface RequestView
  extends Pick<
    VaultRequest,
    "id" | "guid" | "amount" | "currency" | "requestedAt" | "expiresAt" | "closedAt" | "reason"
  > {
  readonly outcome: Outcome;
  readonly requester: NamedPlayer;
  readonly closer: NamedPlayer | null;
  readonly claim: { readonly by: NamedPlayer; readonly until: Date } | null;
}

export async function viewRequests(
  on: Queryable,
  requests: readonly VaultRequest[],
  now: Date,
): Promise<RequestView[]> {
  const people = await findPeople(on, requests.flatMap(peopleOf));
  const name = namesFrom(people);
  return requests.map((stored) => {
    const request = asOf(stored, now);
    const { id, guid, amount, currency, requestedAt, expiresAt, closedAt, closedBy } = request;
    const claim = claimOn(request, now);
    return {
      ...{ id, guid, amount, currency, requestedAt, expiresAt, closedAt },
      reason: request.reason,
      outcome: outcomeOf(request),
      requester: name(request.playerId),
      closer: closedBy === null ? null : name(closedBy),
      claim: claim && { by: name(claim.by), until: claim.until },
    };
  });
}

export interface FulfilmentView {
  readonly factionId: number;
  readonly request: RequestView;
  readonly own: boolean;
  readonly mayFulfil: boolean;
  readonly vaultPaymentUrl: string | null;
  /** The oldest other request that the player may pay and no other banker is paying. */
  readonly next: { readonly id: number; readonly guid: string } | null;
}

/**
 * For anyone except the requester and the faction's bankers the request does not exist.
 * @throws UnknownVaultRequest
 */
export async function requireVisible(
  { database }: Context,
  { playerId }: Pick<PortalUser, "playerId">,
  guid: string,
): Promise<{ readonly found: VaultRequest; readonly membership: Membership }> {
  const membership = await readMembership(database, playerId);
  const name = readRequestName(guid);
  if (membership.factionId === null || !name || !("guid" in name))
    throw UnknownVaultRequest.because();
  const found = await findVaultRequest(database.query, membership.factionId, name);
  if (!found || (found.playerId !== playerId && !isBanker(membership)))
    throw UnknownVaultRequest.because();
  return { found, membership };
}

/**
 * Read-only.
 * @throws UnknownVaultRequest as requireVisible
 */
export async function showForFulfilment(
  ctx: Context,
  user: Pick<PortalUser, "playerId">,
  guid: string,
): Promise<FulfilmentView> {
  const on = ctx.database.query;
  const { found, membership } = await requireVisible(ctx, user, guid);
  const [request] = await viewRequests(on, [found], ctx.now());
  if (!request) throw UnknownVaultRequest.because();
  const { currency, factionId } = found;
  return {
    ...{ factionId, request, own: found.playerId === user.playerId },
    mayFulfil: mayFulfil(membership, currency),
    vaultPaymentUrl: vaultPaymentUrl(ctx.settings, found),
    next: await findNext(on, { ...membership, factionId }, found.id, ctx.now()),
  };
}

async function findNext(
  on: Queryable,
  member: Member,
  besides: number,
  now: Date,
): Promise<FulfilmentView["next"]> {
  const { factionId } = member;
  const pending = isBanker(member)
    ? await listPending(on, { factionId, now, limit: queueShown })
    : [];
  const next = pending.find((one) => {
    const claim = claimOn(one, now);
    const free = claim === null || claim.by === member.playerId;
    return one.id !== besides && free && mayFulfil(member, one.currency);
  });
  return next ? { id: next.id, guid: next.guid } : null;
}
