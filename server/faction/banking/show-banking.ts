import type { Queryable } from "#db/client";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { InsufficientFactionPermissions, UnknownVaultRequest } from "#server/failures";
import { vaultPaymentUrl } from "#server/game/site-urls";
import { readChatLink } from "../chat-link/read-chat-link";
import {
  isBanker,
  type Member,
  mayFulfil,
  readMembership,
  requireMembershipIn,
} from "../positions/membership";
import { readRequestIdentifier } from "./contract";
import { type RequestView, viewRequest } from "./describe-request";
import {
  createNameLookup,
  findPeople,
  findVaultReading,
  findVaultRequest,
  listMatching,
  listPending,
  playerIdsOf,
  type RequestFilter,
  sumReserved,
  type VaultMember,
} from "./store";
import {
  activeClaimOf,
  type Currency,
  currencies,
  requestAsOf,
  type VaultRequest,
} from "./vault-request";

const ownShown = 20;
const queueShown = 100;
/** More requests than bankers can pay before the oldest expire. */
const mostPending = 1_000;

export interface QueueFilter {
  readonly currency?: Currency | undefined;
  /** Part of the member's name, in any case. */
  readonly member?: string | undefined;
}

export type BankingView = NonNullable<Awaited<ReturnType<typeof showBanking>>>;

/** Withdrawals can be requested only while `link` is "ready". */
export async function showBanking(
  ctx: Context,
  { playerId }: PortalUser,
  filter: QueueFilter = {},
) {
  const on = ctx.database.query;
  const now = ctx.now();
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const { factionId, factionName } = member;
  const [link, own, queue, balance] = await Promise.all([
    readChatLink(on, factionId),
    listMatching(on, { factionId, playerId, now, pendingOnly: false, limit: ownShown }),
    isBanker(member) ? showQueue(on, { factionId, now, filter }) : null,
    findStoredBalance(on, member, now),
  ]);
  return {
    factionId,
    factionName,
    link: link.state,
    queue,
    balance,
    own: await viewRequests(on, own, now),
    pays: payableCurrenciesOf(member),
  };
}

/** Bankers get the faction's requests, oldest first; other members get their own, newest first. */
export const listWaiting = (on: Queryable, member: Member, now: Date): Promise<VaultRequest[]> => {
  const { factionId, playerId } = member;
  return isBanker(member)
    ? listPending(on, { factionId, now, limit: mostPending })
    : listMatching(on, { factionId, playerId, now, pendingOnly: true, limit: ownShown });
};

export const payableCurrenciesOf = (member: Member): Currency[] =>
  currencies.filter((currency) => mayFulfil(member, currency));

async function showQueue(
  on: Queryable,
  { factionId, now, filter }: { factionId: number; now: Date; filter: QueueFilter },
) {
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

export type StoredBalance = NonNullable<Awaited<ReturnType<typeof findStoredBalance>>>;

async function findStoredBalance(on: Queryable, { playerId, factionId }: VaultMember, now: Date) {
  const reading = await findVaultReading(on, factionId);
  const own = reading?.balances.find((one) => one.playerId === playerId);
  if (!reading || !own) return null;
  const { readAt } = reading;
  const [money, points] = await Promise.all(
    currencies.map((currency) =>
      sumReserved(on, { playerId, factionId, currency }, { now, readAt }),
    ),
  );
  return {
    readAt,
    holdings: {
      money_balance: { balance: own.money, spokenFor: money ?? 0 },
      points_balance: { balance: own.points, spokenFor: points ?? 0 },
    },
  };
}

/**
 * Bankers see balances only in the currencies that they may pay out, as in the game. Null for other
 * members; `readAt` is null before the first reading.
 */
export async function showMemberBalances(ctx: Context, { playerId }: PortalUser) {
  const on = ctx.database.query;
  const member = await readMembership(ctx.database, playerId);
  const pays = member ? payableCurrenciesOf(member) : [];
  if (!member || pays.length === 0) return null;
  const { factionId, factionName } = member;
  const { readAt = null, balances = [] } = (await findVaultReading(on, factionId)) ?? {};
  const people = await findPeople(
    on,
    balances.map((one) => one.playerId),
  );
  const name = createNameLookup(people);
  const members = balances.map(({ playerId: id, money, points }) => {
    const all = { money_balance: money, points_balance: points };
    const shown: Partial<Record<Currency, number>> = {};
    for (const currency of pays) shown[currency] = all[currency];
    return { player: name(id), balances: shown };
  });
  return { factionName, pays, readAt, members };
}

export async function countPayableRequests(
  ctx: Context,
  { playerId }: PortalUser,
): Promise<number> {
  const member = await readMembership(ctx.database, playerId);
  if (!member || !isBanker(member)) return 0;
  const { factionId } = member;
  const of = { factionId, now: ctx.now(), limit: queueShown };
  const waiting = await listPending(ctx.database.query, of);
  return waiting.filter(({ currency }) => mayFulfil(member, currency)).length;
}

export async function viewRequests(
  on: Queryable,
  requests: readonly VaultRequest[],
  now: Date,
): Promise<RequestView[]> {
  const name = createNameLookup(await findPeople(on, requests.flatMap(playerIdsOf)));
  return requests.map((request) => viewRequest(request, name, now));
}

/**
 * Only the requester and the faction's bankers can see a request.
 * @throws UnknownVaultRequest
 */
export async function requireVisible(
  { database }: Context,
  { playerId }: Pick<PortalUser, "playerId">,
  guid: string,
): Promise<{ readonly found: VaultRequest; readonly member: Member }> {
  const member = await readMembership(database, playerId);
  const name = readRequestIdentifier(guid);
  const found =
    member && name && "guid" in name
      ? await findVaultRequest(database.query, member.factionId, name)
      : undefined;
  if (!member || !found || (found.playerId !== playerId && !isBanker(member)))
    throw UnknownVaultRequest.because();
  return { found, member };
}

export type FulfilmentView = Awaited<ReturnType<typeof showForFulfilment>>;

/** @throws UnknownVaultRequest */
export async function showForFulfilment(
  ctx: Context,
  user: Pick<PortalUser, "playerId">,
  guid: string,
) {
  const on = ctx.database.query;
  const now = ctx.now();
  const { found, member } = await requireVisible(ctx, user, guid);
  const [request] = await viewRequests(on, [found], now);
  if (!request) throw UnknownVaultRequest.because();
  const { currency, factionId } = found;
  return {
    factionId,
    request,
    own: found.playerId === user.playerId,
    mayFulfil: mayFulfil(member, currency),
    vaultPaymentUrl: vaultPaymentUrl(ctx.settings, found),
    next: isBanker(member) ? await findNext(on, member, found.id, now) : null,
  };
}

/** The oldest other request that the banker may pay and that no other banker has claimed. */
async function findNext(on: Queryable, member: Member, besides: number, now: Date) {
  const { factionId } = member;
  const pending = await listPending(on, { factionId, now, limit: queueShown });
  const next = pending.find((one) => {
    const claim = activeClaimOf(one, now);
    const free = claim === null || claim.by === member.playerId;
    return one.id !== besides && free && mayFulfil(member, one.currency);
  });
  return next ? { id: next.id, guid: next.guid } : null;
}

/**
 * Newest request first. The cursor includes the id, because requests may have the same time.
 * @throws UnknownFaction, InsufficientResourcePermissions, InsufficientFactionPermissions
 */
export async function listRequests(
  ctx: Context,
  { playerId }: { readonly playerId: number },
  { scope, ...filter }: RequestFilter & { readonly scope: "user" | "faction" },
) {
  const member = await requireMembershipIn(ctx.database, playerId, filter.factionId);
  if (scope === "faction" && !isBanker(member)) throw InsufficientFactionPermissions.because();
  const now = ctx.now();
  const { limit } = filter;
  const found = await listMatching(ctx.database.query, {
    ...filter,
    playerId: scope === "user" ? playerId : undefined,
    now,
    limit: limit + 1,
  });
  const requests = found.slice(0, limit).map((request) => requestAsOf(request, now));
  const last = requests.at(-1);
  return {
    requests,
    next: last && found.length > limit ? { at: last.requestedAt, id: last.id } : null,
  };
}
