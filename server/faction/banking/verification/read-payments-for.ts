import type { Context } from "#server/context";
import type { NewsItem } from "#server/game/contract/faction";
import { countUnreadable, rowsSent } from "#server/game/contract/rows";
import { fetchVaultBalance } from "../fetch-vault-balance";
import type { VaultRequest } from "../vault-request";
import { earliestPayment, matchPayments, type Payment, readPayment } from "./payment";
import { findUsedNews } from "./store";

/** The game gives so many lines at once. */
const pageLength = 100;
/** A vault that pays out more than this since the oldest request is not read any further back. */
const mostPages = 10;

/**
 * Reads a vault's news, newest first, until every request has its payment or no older line could be one.
 * @returns payments that proved nothing yet, how many calls were made, and rows that could not be read, where there were any
 * @throws UnknownFactionKey, GameCallError
 */
export async function readPaymentsFor(
  ctx: Context,
  asked: { readonly factionId: number; readonly requests: readonly VaultRequest[]; readonly mostCalls: number },
): Promise<{ readonly payments: readonly Payment[]; readonly calls: number; readonly unreadable?: number }> {
  const { factionId, requests, mostCalls } = asked;
  // The second of `from` itself is left out by the game.
  const from = new Date(Math.min(...requests.map((request) => earliestPayment(request).getTime())) - 1_000);
  const payments = new Map<string, Payment>();
  const seen = new Set<string>();
  let to: Date | undefined;
  let unreadable = 0;
  let warned = false;
  for (let calls = 1; ; calls++) {
    const page = { category: "giveFunds", from, ...(to && { to }) } as const;
    const { news } = await fetchVaultBalance(ctx, factionId, {
      priority: "background",
      call: (game, key) => game.factionNews(key, page),
      concerns: (answer) => answer.factionId,
    });
    unreadable += countUnreadable(news).unreadable ?? 0;
    const isUnknown = isUnknownWording(news);
    ctx.metrics.vaultNewsPages.of(isUnknown ? "unknown" : "understood").inc();
    if (!warned && isUnknown) {
      warned = true;
      ctx.log.warn({ factionId, lines: news.length }, "no line of the vault's news is understood");
    }
    const fresh = news.filter(({ newsId }) => !seen.has(newsId));
    for (const { newsId } of fresh) seen.add(newsId);
    const used = await findUsedNews(ctx.database.query, [...fresh.map(({ newsId }) => newsId)]);
    for (const item of fresh) {
      const payment = used.has(item.newsId) ? undefined : readPayment(item);
      if (payment) payments.set(item.newsId, payment);
    }
    const found = [...payments.values()];
    const complete = matchPayments(requests, found).size === requests.length;
    // A page that is not full, or that brought nothing new, is the last one.
    const last = rowsSent(news) < pageLength || fresh.length === 0;
    if (complete || last || calls >= Math.min(mostPages, mostCalls))
      return { payments: found, calls, ...(unreadable > 0 && { unreadable }) };
    to = news.reduce((oldest, { at }) => (at < oldest ? at : oldest), ctx.now());
  }
}

/** Whether a page has lines and none of them is worded as we know them: the game has changed its words, then. */
const isUnknownWording = (news: readonly NewsItem[]): boolean =>
  news.length > 0 && news.every((item) => readPayment(item) === undefined);
