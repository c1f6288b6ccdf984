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
  /XID=(\d{1,10})\b[^>]*>[^<]*<\/a>\s+was given\s+(\$)?(\d{1,3}(?:,\d{3})*|\d+)( points?)?\s+by\s+<a\s[^>]*XID=(\d{1,10})\b/i;

/** Reads a line of the vault's news. Undefined for one that tells of no payment, or in words that are not known here. */
export function readPayment({ newsId, text, at }: NewsItem): Payment | undefined {
  const [, to, dollar, figures = "", points, by] = gave.exec(text) ?? [];
  // Exactly one of the two says what was given.
  if (to === undefined || by === undefined || (dollar === undefined) === (points === undefined)) return undefined;
  const amount = Number(figures.replaceAll(",", ""));
  if (!Number.isSafeInteger(amount)) return undefined;
  return { newsId, at, to: Number(to), by: Number(by), amount, currency: dollar ? "money_balance" : "points_balance" };
}
