import { toUnixSeconds } from "#server/platform/time";
import type { VaultRequest } from "../vault-request";
import type { Payment } from "./payment";

/** For so long after it was marked as paid a request's payment may show up in the news. Seconds. */
export const searchedSeconds = 600;

/** When nobody looks any further for the payment of a request. */
export const searchEnds = ({ closedAt }: VaultRequest): Date =>
  new Date((closedAt?.getTime() ?? 0) + searchedSeconds * 1_000);

/**
 * Finds the payment of each request: to the same player, of the same kind and the exact amount, made between the request and
 * the end of the search. A payment proves one request. Of requests that one payment would fit, the one that ends first has it,
 * so that as many as possible are proved.
 */
export function matchPayments(
  requests: readonly VaultRequest[],
  payments: readonly Payment[],
): Map<VaultRequest, Payment> {
  const open = new Set([...requests].sort((a, b) => searchEnds(a).getTime() - searchEnds(b).getTime() || a.id - b.id));
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
    payment.to === request.playerId && payment.amount === request.amount && payment.currency === request.currency;
  return same && payment.at >= earliestPayment(request) && payment.at <= searchEnds(request);
}

/** The news counts whole seconds: a payment in the second of the request comes after it. */
export const earliestPayment = ({ requestedAt }: VaultRequest): Date => new Date(toUnixSeconds(requestedAt) * 1_000);
