import type { NewsItem } from "#server/game/contract/faction";
import { secondMs, toUnixSeconds } from "#server/platform/time";
import type { Currency, VaultRequest } from "../vault-request";

export interface Payment {
  readonly newsId: string;
  readonly at: Date;
  readonly to: number;
  readonly by: number;
  readonly amount: number;
  readonly currency: Currency;
}

/** "<a href="…XID=1003">Cleo</a> was given $1,500 by <a href="…XID=1002">Bruno</a>", or "… 1,500 points …". */
const gave =
  /XID=(\d{1,10})\b[^>]*>(?:(?!<\/a>).){0,200}<\/a>\s+was given\s+(\$)?(\d{1,3}(?:,\d{3})*|\d+)( points?)?\s+by\s+<a\s[^>]*XID=(\d{1,10})\b/i;

/**
 * "… was paid $5 for a total of $20 from the faction by …": a payday, which is not a withdrawal.
 */
const payday = /<\/a>\s+was paid\s/i;

/** An adjustment of a balance without a payment. Its exact wording is undocumented. */
const adjustment = /\bbalance\b/i;

/** Null for a payday or an adjustment; undefined for an unknown wording. */
export function readPayment({ newsId, text, at }: NewsItem): Payment | null | undefined {
  const [, to, dollar, figures = "", points, by] = gave.exec(text) ?? [];
  if (to === undefined && (payday.test(text) || adjustment.test(text))) return null;
  if (to === undefined || by === undefined || (dollar === undefined) === (points === undefined))
    return undefined;
  const amount = Number(figures.replaceAll(",", ""));
  if (!Number.isSafeInteger(amount)) return undefined;
  return {
    newsId,
    at,
    to: Number(to),
    by: Number(by),
    amount,
    currency: dollar ? "money_balance" : "points_balance",
  };
}

/** Seconds after marking as paid in which the payment may appear in the news. */
const searchedSeconds = 600;

export const searchEnds = ({ closedAt }: VaultRequest): Date =>
  new Date((closedAt?.getTime() ?? 0) + searchedSeconds * secondMs);

/**
 * Matches payments by player, currency, exact amount and time; one payment verifies one request.
 * The earliest end of search is matched first, which verifies the most.
 */
export function matchPayments(
  requests: readonly VaultRequest[],
  payments: readonly Payment[],
): Map<VaultRequest, Payment> {
  const open = new Set(
    [...requests].sort((a, b) => searchEnds(a).getTime() - searchEnds(b).getTime() || a.id - b.id),
  );
  const found = new Map<VaultRequest, Payment>();
  for (const payment of [...payments].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const proved = [...open].find((request) => proves(payment, request));
    if (!proved) continue;
    open.delete(proved);
    found.set(proved, payment);
  }
  return found;
}

function proves(payment: Payment, request: VaultRequest): boolean {
  const same =
    payment.to === request.playerId &&
    payment.amount === request.amount &&
    payment.currency === request.currency;
  return same && payment.at >= earliestPayment(request) && payment.at <= searchEnds(request);
}

/** The news has whole seconds, so a payment may have the second of its request. */
export const earliestPayment = ({ requestedAt }: VaultRequest): Date =>
  new Date(toUnixSeconds(requestedAt) * secondMs);
