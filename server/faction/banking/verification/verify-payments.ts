import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { isFailure, UnknownFactionKey } from "#server/failures";
import type { NewsItem } from "#server/game/contract/faction";
import { countUnreadable, rowsSent } from "#server/game/contract/rows";
import { isGameCallError } from "#server/game/game-call-error";
import { selectionsOf } from "#server/game/selections";
import type { Job, Work } from "#server/jobs/job";
import { daySeconds, secondMs } from "#server/platform/time";
import { notifyChanges } from "../notify-changes";
import { askAboutVault } from "../read-vault-balance";
import type { VaultRequest } from "../vault-request";
import { earliestPayment, matchPayments, type Payment, readPayment, searchEnds } from "./payment";
import { endSearch, findUsedNews, listUnproved } from "./store";

/** Looks every minute whether what bankers marked as paid stands in the vault's news. */
export const verifyPayments: Job = {
  name: "verify-payments",
  cadence: { everySeconds: 60 },
  budget: 30,
  run: verifyWaiting,
};

/** More are not looked at in one run; those that were marked first come first. */
const mostInARun = 500;
/** Where nobody's key reads the news, or the game is away, it is tried again for so long after the search should have ended. */
const verifyTimeoutSeconds = daySeconds;

interface SearchCounts {
  verified: number;
  unverified: number;
  factionsUnread: number;
  unreadable?: number;
}

/**
 * Looks for the payments of fulfilled requests in the vaults' news. A request whose time ran out without one is unverified,
 * and its member is warned; but only after the news was read: an error of the game proves nothing, and is tried again.
 */
export async function verifyWaiting(
  ctx: Context,
  { budget, signal }: Work,
): Promise<Readonly<Record<string, number>>> {
  const counts: SearchCounts = { verified: 0, unverified: 0, factionsUnread: 0 };
  let left = budget;
  for (const [factionId, requests] of byFaction(
    await listUnproved(ctx.database.query, mostInARun),
  )) {
    if (signal.aborted || left <= 0) break;
    try {
      const { payments, calls, unreadable } = await readPaymentsFor(ctx, {
        factionId,
        requests,
        mostCalls: left,
      });
      left -= calls;
      if (unreadable) counts.unreadable = (counts.unreadable ?? 0) + unreadable;
      await conclude(
        ctx,
        { requests, proofs: matchPayments(requests, payments), over: searchEnds },
        counts,
      );
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

interface Conclusion {
  readonly requests: readonly VaultRequest[];
  readonly proofs: ReturnType<typeof matchPayments>;
  /** From when a request without a proof is given up. */
  readonly over: (request: VaultRequest) => Date;
}

async function conclude(
  ctx: Context,
  { requests, proofs, over }: Conclusion,
  counts: SearchCounts,
): Promise<void> {
  for (const request of requests) {
    const proof = proofs.get(request) ?? null;
    if (!proof && ctx.now() < over(request)) continue;
    if (await concludeSearch(ctx, request, proof)) counts[proof ? "verified" : "unverified"] += 1;
  }
}

function byFaction(requests: readonly VaultRequest[]): Map<number, VaultRequest[]> {
  const factions = new Map<number, VaultRequest[]>();
  for (const request of requests) {
    const others = factions.get(request.factionId);
    if (others) others.push(request);
    else factions.set(request.factionId, [request]);
  }
  return factions;
}

/**
 * Writes down how the search for a request's payment ended: on the record, in the log and on the card. Where it was not found
 * the member is warned.
 * @param proof null where there is none
 * @returns false where that was done before
 */
export async function concludeSearch(
  ctx: Context,
  marked: VaultRequest,
  proof: Payment | null,
): Promise<boolean> {
  return ctx.database.transaction(async (tx) => {
    const request = await endSearch(tx, marked, proof);
    if (!request) return false;
    const act = proof ? "vault-request-verified" : "vault-request-unverified";
    const doing = { act, actor: "job:verify-payments" } as const;
    const details = { markedBy: marked.closedBy, paidBy: proof?.by ?? null };
    await notifyChanges(ctx, tx, [{ request, doing, details, told: !proof }]);
    return true;
  });
}

/** The game gives so many lines at once. */
const newsPageLength = 100;
/** A vault that pays out more than this since the oldest request is not read any further back. */
const mostNewsPages = 10;

/**
 * Reads a vault's news, newest first, until every request has its payment or no older line could be one.
 * @returns payments that proved nothing yet, how many calls were made, and rows that could not be read, where there were any
 * @throws UnknownFactionKey, GameCallError
 */
async function readPaymentsFor(
  ctx: Context,
  asked: {
    readonly factionId: number;
    readonly requests: readonly VaultRequest[];
    readonly mostCalls: number;
  },
): Promise<{
  readonly payments: readonly Payment[];
  readonly calls: number;
  readonly unreadable?: number;
}> {
  const { factionId, requests, mostCalls } = asked;
  // The second of `from` itself is left out by the game.
  const from = new Date(
    Math.min(...requests.map((request) => earliestPayment(request).getTime())) - secondMs,
  );
  const payments = new Map<string, Payment>();
  const seen = new Set<string>();
  let to: Date | undefined;
  let unreadable = 0;
  let warned = false;
  for (let calls = 1; ; calls++) {
    const page = { category: "giveFunds", from, ...(to && { to }) } as const;
    const { news } = await askAboutVault(ctx, factionId, {
      priority: "background",
      reads: selectionsOf.vaultNews,
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
    const last = rowsSent(news) < newsPageLength || fresh.length === 0;
    if (complete || last || calls >= Math.min(mostNewsPages, mostCalls))
      return { payments: found, calls, ...(unreadable > 0 && { unreadable }) };
    to = news.reduce((oldest, { at }) => (at < oldest ? at : oldest), ctx.now());
  }
}

/** Whether a page has lines and none of them is worded as we know them: the game has changed its words, then. */
const isUnknownWording = (news: readonly NewsItem[]): boolean =>
  news.length > 0 && news.every((item) => readPayment(item) === undefined);
