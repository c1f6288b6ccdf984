import type { NewsItem } from "#server/game/contract/faction";
import type { Currency } from "../vault-request";

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

/**
 * Reads a line of the vault's news. Null for a payday, which proves no withdrawal; undefined for one in words that are not known
 * here.
 */
export function readPayment({ newsId, text, at }: NewsItem): Payment | null | undefined {
  const [, to, dollar, figures = "", points, by] = gave.exec(text) ?? [];
  if (to === undefined && payday.test(text)) return null;
  // Exactly one of the two says what was given.
  if (to === undefined || by === undefined || (dollar === undefined) === (points === undefined)) return undefined;
  const amount = Number(figures.replaceAll(",", ""));
  if (!Number.isSafeInteger(amount)) return undefined;
  return { newsId, at, to: Number(to), by: Number(by), amount, currency: dollar ? "money_balance" : "points_balance" };
}
