import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { isFailure, UnknownFactionKey } from "#server/failures";
import { pageSize } from "#server/game/client";
import type { NewsItem } from "#server/game/contract/faction";
import { countSentRows, unreadableCountsOf } from "#server/game/contract/rows";
import { isGameCallError } from "#server/game/game-call-error";
import { selectionsByCall } from "#server/game/selections";
import type { Job, RunLimits } from "#server/jobs/job";
import { daySeconds, secondMs, toUnixSeconds } from "#server/platform/time";
import { notifyChanges } from "./notify-changes";
import { callWithVaultKey } from "./read-vault-balance";
import { findUsedNews, listUnproved, saveVerification } from "./store";
import type { Currency, VaultRequest } from "./vault-request";

export interface Payment {
  readonly newsId: string;
  readonly at: Date;
  readonly to: number;
  readonly by: number;
  readonly amount: number;
  readonly currency: Currency;
}

/** "<a href="…XID=1003">Cleo</a> was given $1,500 (or 1,500 points) by <a href="…XID=1002">" */
const gave =
  /XID=(\d{1,10})\b[^>]*>(?:(?!<\/a>).){0,200}<\/a>\s+was given\s+(\$)?(\d{1,3}(?:,\d{3})*|\d+)( points?)?\s+by\s+<a\s[^>]*XID=(\d{1,10})\b/i;

/** "… was paid $5 for a total of $20 from the faction by …": a payday is not a withdrawal. */
const payday = /<\/a>\s+was paid\s/i;

/** Matches balance adjustments, which pay nothing. Their exact wording is undocumented. */
const adjustment = /\bbalance\b/i;

/** Null for a payday or an adjustment; undefined for an unknown wording. */
export function parsePaymentNews({ newsId, text, at }: NewsItem): Payment | null | undefined {
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

/** The payment may appear in the news this long after the request was marked as paid. */
const searchedSeconds = 600;

const searchEnds = ({ closedAt }: VaultRequest): Date =>
  new Date((closedAt?.getTime() ?? 0) + searchedSeconds * secondMs);

/** A payment verifies one request. Trying the earliest end of search first verifies the most. */
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

/** News times are whole seconds, so a payment may seem earlier than its request. */
const earliestPayment = ({ requestedAt }: VaultRequest): Date =>
  new Date(toUnixSeconds(requestedAt) * secondMs);

export const verifyPaymentsJob: Job = {
  name: "verify-payments",
  cadence: { everySeconds: 60 },
  budget: 30,
  run: verifyWaiting,
};

const mostInARun = 500;
/** Unreadable news is retried for this long after the end of the search. */
const verifyTimeoutSeconds = daySeconds;

interface SearchCounts {
  verified: number;
  unverified: number;
  factionsUnread: number;
  unreadable?: number;
}

async function verifyWaiting(
  ctx: Context,
  { budget, signal }: RunLimits,
): Promise<Readonly<Record<string, number>>> {
  const counts: SearchCounts = { verified: 0, unverified: 0, factionsUnread: 0 };
  let left = budget;
  const unproved = await listUnproved(ctx.database.query, mostInARun);
  for (const [factionId, requests] of Map.groupBy(unproved, (request) => request.factionId)) {
    if (signal.aborted || left <= 0) break;
    try {
      const { payments, calls, unreadable } = await readPaymentsFor(ctx, {
        factionId,
        requests,
        mostCalls: left,
      });
      left -= calls;
      if (unreadable) counts.unreadable = (counts.unreadable ?? 0) + unreadable;
      const proofs = matchPayments(requests, payments);
      await conclude(ctx, { requests, proofs, over: searchEnds }, counts);
    } catch (error) {
      if (!isGameCallError(error) && !isFailure(error, UnknownFactionKey)) throw error;
      left -= 1;
      counts.factionsUnread += 1;
      await conclude(ctx, { requests, proofs: new Map(), over: verifyEnds }, counts);
    }
  }
  if (counts.verified + counts.unverified > 0) deliverSoon(ctx);
  return { ...counts };
}

const verifyEnds = (request: VaultRequest) =>
  new Date(searchEnds(request).getTime() + verifyTimeoutSeconds * secondMs);

async function conclude(
  ctx: Context,
  found: {
    readonly requests: readonly VaultRequest[];
    readonly proofs: ReadonlyMap<VaultRequest, Payment>;
    readonly over: (request: VaultRequest) => Date;
  },
  counts: SearchCounts,
): Promise<void> {
  for (const request of found.requests) {
    const proof = found.proofs.get(request) ?? null;
    if (!proof && ctx.now() < found.over(request)) continue;
    if (await concludeVerification(ctx, request, proof))
      counts[proof ? "verified" : "unverified"] += 1;
  }
}

/**
 * @param proof null if the payment was not found
 * @returns false if a result was already recorded
 */
export async function concludeVerification(
  ctx: Context,
  marked: VaultRequest,
  proof: Payment | null,
): Promise<boolean> {
  return ctx.database.transaction(async (tx) => {
    const request = await saveVerification(tx, marked, proof);
    if (!request) return false;
    const act = proof ? "vault_request.verified" : "vault_request.unverified";
    const by = { kind: "job", name: "verify-payments" } as const;
    const details = { markedBy: marked.closedBy, paidBy: proof?.by ?? null };
    await notifyChanges(ctx, tx, { by, act, requests: [request], details });
    return true;
  });
}

/** Bounds the calls for a vault with very many payments. */
const mostNewsPages = 10;

/**
 * Reads the newest news first, until every request is matched or no older line can match.
 * @returns unused payments, and the numbers of calls and of unreadable rows
 * @throws UnknownFactionKey, GameCallError
 */
async function readPaymentsFor(
  ctx: Context,
  asked: {
    readonly factionId: number;
    readonly requests: readonly VaultRequest[];
    readonly mostCalls: number;
  },
) {
  const { factionId, requests, mostCalls } = asked;
  // The game's `from` is exclusive.
  const from = new Date(
    Math.min(...requests.map((request) => earliestPayment(request).getTime())) - secondMs,
  );
  const payments = new Map<string, Payment>();
  const seen = new Set<string>();
  let to: Date | undefined;
  let unreadable = 0;
  let warned = false;
  for (let calls = 1; ; calls++) {
    const page = { from, to };
    const { news } = await callWithVaultKey(ctx, factionId, {
      priority: "background",
      reads: selectionsByCall.vaultNews,
      call: (game, key) => game.factionNews(key, page),
    });
    unreadable += unreadableCountsOf(news).unreadable ?? 0;
    const isUnknown = isUnknownWording(news);
    ctx.metrics.vaultNewsPages.labels(isUnknown ? "unknown" : "understood").inc();
    if (!warned && isUnknown) {
      warned = true;
      ctx.log.warn({ factionId, lines: news.length }, "no line of the vault's news is understood");
    }
    const before = seen.size;
    for (const { newsId } of news) seen.add(newsId);
    const used = await findUsedNews(
      ctx.database.query,
      news.map(({ newsId }) => newsId),
    );
    for (const item of news) {
      const payment = used.has(item.newsId) ? undefined : parsePaymentNews(item);
      if (payment) payments.set(item.newsId, payment);
    }
    const found = [...payments.values()];
    const isComplete = matchPayments(requests, found).size === requests.length;
    const isLast = countSentRows(news) < pageSize || seen.size === before;
    if (isComplete || isLast || calls >= Math.min(mostNewsPages, mostCalls))
      return { payments: found, calls, ...(unreadable > 0 && { unreadable }) };
    to = news.reduce((oldest, { at }) => (at < oldest ? at : oldest), ctx.now());
  }
}

/** If no line is understood, the game has probably changed its wording. */
const isUnknownWording = (news: readonly NewsItem[]): boolean =>
  news.length > 0 && news.every((item) => parsePaymentNews(item) === undefined);
