import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import { isFailure, UnknownFactionKey } from "#server/failures";
import { isGameCallError } from "#server/game/game-call-error";
import type { Work } from "#server/jobs/job";
import { daySeconds, secondMs } from "#server/platform/durations";
import { notifyChanges } from "../notify-changes";
import type { VaultRequest } from "../vault-request";
import { matchPayments, type Payment, searchEnds } from "./payment";
import { readPaymentsFor } from "./read-payments-for";
import { endSearch, listUnproved } from "./store";

/**
 * Writes down how the search for a request's payment ended: on the record, in the log and on the card. Where it was not found
 * the member is warned.
 * @param proof null where there is none
 * @returns false where that was done before
 */
export async function concludeSearch(ctx: Context, marked: VaultRequest, proof: Payment | null): Promise<boolean> {
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

/** More are not looked at in one run; those that were marked first come first. */
const mostInARun = 500;
/** Where nobody's key reads the news, or the game is away, it is tried again for so long after the search should have ended. */
const verifyTimeoutSeconds = daySeconds;

interface Counts {
  verified: number;
  unverified: number;
  factionsUnread: number;
  unreadable?: number;
}

/**
 * Looks for the payments of fulfilled requests in the vaults' news. A request whose time ran out without one is unverified,
 * and its member is warned; but only after the news was read: an error of the game proves nothing, and is tried again.
 */
export async function verifyWaiting(ctx: Context, { budget, signal }: Work): Promise<Readonly<Record<string, number>>> {
  const counts: Counts = { verified: 0, unverified: 0, factionsUnread: 0 };
  let left = budget;
  for (const [factionId, requests] of byFaction(await listUnproved(ctx.database.query, mostInARun))) {
    if (signal.aborted || left <= 0) break;
    try {
      const { payments, calls, unreadable } = await readPaymentsFor(ctx, { factionId, requests, mostCalls: left });
      left -= calls;
      if (unreadable) counts.unreadable = (counts.unreadable ?? 0) + unreadable;
      await conclude(ctx, { requests, proofs: matchPayments(requests, payments), over: searchEnds }, counts);
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

const verifyEnds = (request: VaultRequest) => new Date(searchEnds(request).getTime() + verifyTimeoutSeconds * secondMs);

interface Conclusion {
  readonly requests: readonly VaultRequest[];
  readonly proofs: ReturnType<typeof matchPayments>;
  /** From when a request without a proof is given up. */
  readonly over: (request: VaultRequest) => Date;
}

async function conclude(ctx: Context, { requests, proofs, over }: Conclusion, counts: Counts): Promise<void> {
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
