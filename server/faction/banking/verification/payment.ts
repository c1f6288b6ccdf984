import type { NewsItem } from "#server/game/contract/faction";
import { secondMs, toUnixSeconds } from "#server/platform/time";
import type { Currency, VaultRequest } from "../vault-request";

/** A payment from the vault, as its news tells of it. */
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

/** "… was paid $5 for a total of $20 from the faction by …": a payday. It pays out no balance that was asked for. */
const payday = /<\/a>\s+was paid\s/i;

/** A change of what a member may ask for, by which no money is handed over. Its exact words are nowhere documented. */
const adjustment = /\bbalance\b/i;

/**
 * Reads a line of the vault's news. Null for a payday or an adjustment of a balance, which prove no withdrawal; undefined for one
 * in words that are not known here.
 */
export function readPayment({ newsId, text, at }: NewsItem): Payment | null | undefined {
  const [, to, dollar, figures = "", points, by] = gave.exec(text) ?? [];
  if (to === undefined && (payday.test(text) || adjustment.test(text))) return null;
  // Exactly one of the two says what was given.
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

/** For so long after it was marked as paid a request's payment may show up in the news. Seconds. */
export const searchedSeconds = 600;

/** The end of the search for the payment of a request. */
export const searchEnds = ({ closedAt }: VaultRequest): Date =>
  new Date((closedAt?.getTime() ?? 0) + searchedSeconds * secondMs);

/**
 * Finds the payment of each request: to the same player, of the same kind and the exact amount, made between the request and
 * the end of the search. A payment proves one request. Of requests that one payment would fit, the one that ends first has it,
 * so that as many as possible are proved.
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

/** The news counts whole seconds: a payment in the second of the request comes after it. */
export const earliestPayment = ({ requestedAt }: VaultRequest): Date =>
  new Date(toUnixSeconds(requestedAt) * secondMs);
