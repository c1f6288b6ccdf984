import { z } from "zod";
import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { csvOf } from "#server/platform/csv";
import { text } from "#server/platform/input-schemas";
import { pageOf, readCursor } from "#server/platform/paging";
import { dayMs } from "#server/platform/time";
import { PlayerId } from "#server/rest/shapes";
import type { NamedPlayer } from "#server/users/player";
import { isBanker, type Member, readMembership, requireMembership } from "../positions/membership";
import { readRequestIdentifier } from "./contract";
import type { RequestView } from "./describe-request";
import { payableCurrenciesOf, viewRequests } from "./show-banking";
import {
  createNameLookup,
  findPeople,
  type LedgerFilter,
  listClosed,
  type PaidSums,
  type PlaceInList,
  sumByDay,
  sumByPlayer,
} from "./store";

/** UTC days, including today. */
export const ledgerDayChoices = [7, 30, 90, 365] as const;
export const usualLedgerDays = 30;

export const LedgerQuery = z.object({
  days: z.literal(ledgerDayChoices),
  /** Ignored unless the user is a banker, because other members see only their own requests. */
  member: PlayerId.nullable(),
  unseenOnly: z.boolean(),
  after: text(60).nullable(),
});
export type LedgerQuery = z.output<typeof LedgerQuery>;

const pageLength = 25;
/** Larger than any faction, because former members have totals too. */
const mostTotals = 150;

export interface PlayerTotal extends PaidSums {
  readonly player: NamedPlayer;
}

export type Ledger = NonNullable<Awaited<ReturnType<typeof showLedger>>>;

/** Bankers see the closed requests of the whole faction, other members only their own. */
export async function showLedger(ctx: Context, { playerId }: PortalUser, query: LedgerQuery) {
  const on = ctx.database.query;
  const now = ctx.now();
  const member = await readMembership(ctx.database, playerId);
  if (!member) return null;
  const days = daysOf(query.days, now);
  const filter = filterFor(member, query, days);
  const [closed, byBanker, byMember, byDay] = await Promise.all([
    listClosed(on, filter, { after: placeOf(query.after), limit: pageLength + 1 }),
    sumByPlayer(on, filter, { by: "banker", limit: mostTotals }),
    sumByPlayer(on, filter, { by: "member", limit: mostTotals }),
    sumByDay(on, filter),
  ]);
  const people = await findPeople(on, [
    ...[...byBanker, ...byMember].map((total) => total.playerId),
    ...(filter.playerId === null ? [] : [filter.playerId]),
  ]);
  const name = createNameLookup(people);
  const named = ({ playerId: id, ...sums }: PaidSums & { playerId: number }) => ({
    player: name(id),
    ...sums,
  });
  const page = pageOf(
    closed.map((request) => ({ request, at: request.closedAt ?? now, id: String(request.id) })),
    pageLength,
  );
  const requests = page.rows.map(({ request }) => request);
  const onDay = new Map(byDay.map((sums) => [sums.day, sums]));
  return {
    factionName: member.factionName,
    banker: isBanker(member),
    pays: payableCurrenciesOf(member),
    member: filter.playerId === null ? null : name(filter.playerId),
    requests: await viewRequests(on, requests, now),
    next: page.next,
    total: byDay.reduce(add, { money: 0, points: 0, payments: 0, checked: 0, unseen: 0 }),
    byBanker: byBanker.map(named),
    byMember: byMember.map(named),
    byDay: days.map((at) => {
      const { money = 0, points = 0 } = onDay.get(at.toISOString().slice(0, 10)) ?? {};
      return { at, money, points };
    }),
  };
}

function placeOf(after: string | null): PlaceInList | null {
  const cursor = readCursor(after);
  const name = cursor && readRequestIdentifier(cursor.id);
  return cursor && name && "id" in name ? { at: cursor.at, id: name.id } : null;
}

const add = (one: PaidSums, other: PaidSums): PaidSums => ({
  money: one.money + other.money,
  points: one.points + other.points,
  payments: one.payments + other.payments,
  checked: one.checked + other.checked,
  unseen: one.unseen + other.unseen,
});

export const mostLedgerLines = 10_000;

/** Sorted by closing time, newest first. @throws UnknownFaction */
export async function listLedgerEntries(
  ctx: Context,
  { playerId }: PortalUser,
  query: Omit<LedgerQuery, "after">,
): Promise<RequestView[]> {
  const on = ctx.database.query;
  const now = ctx.now();
  const filter = filterFor(
    await requireMembership(ctx.database, playerId),
    { ...query, after: null },
    daysOf(query.days, now),
  );
  return viewRequests(
    on,
    await listClosed(on, filter, { after: null, limit: mostLedgerLines }),
    now,
  );
}

const filterFor = (
  membership: Member,
  { member, unseenOnly }: LedgerQuery,
  [from]: readonly Date[],
): LedgerFilter => ({
  factionId: membership.factionId,
  from: from ?? new Date(0),
  playerId: isBanker(membership) ? member : membership.playerId,
  unseenOnly,
});

function daysOf(days: number, now: Date): Date[] {
  const today = Math.floor(now.getTime() / dayMs);
  return Array.from({ length: days }, (_, index) => new Date((today - days + 1 + index) * dayMs));
}

export const ledgerCsv = (requests: readonly RequestView[]): string =>
  csvOf(requests, {
    request_id: ({ id }) => id,
    member_id: ({ requester }) => requester.playerId,
    member: ({ requester }) => requester.name,
    amount: ({ amount }) => amount,
    currency: ({ currency }) => (currency === "money_balance" ? "money" : "points"),
    outcome: ({ outcome }) => outcome,
    requested_at: ({ requestedAt }) => requestedAt,
    closed_at: ({ closedAt }) => closedAt,
    closed_by_id: ({ closer }) => closer?.playerId,
    closed_by: ({ closer }) => closer?.name,
    reason: ({ reason }) => reason,
  });
