import type { Context } from "#server/context";
import { type Delivery, deliverMessage } from "./deliver-message";
import * as store from "./store";
import { claimDue } from "./store";

/** Longer than all calls of one delivery may take together, so that nobody else takes it over while they are under way. */
const leaseSeconds = 60;
const mostInARun = 200;

/** Delivers what is due, one message after the other, until nothing is, or the signal says to stop. */
export async function deliverDue(ctx: Context, signal?: AbortSignal): Promise<Record<Delivery, number>> {
  const counts = { delivered: 0, dropped: 0, postponed: 0, failed: 0, givenUp: 0 };
  for (let turn = 0; turn < mostInARun && !signal?.aborted; turn++) {
    const now = ctx.now();
    const leasedUntil = new Date(now.getTime() + leaseSeconds * 1_000);
    const claimed = await claimDue(ctx.database.query, { now, leasedUntil });
    if (!claimed) break;
    counts[await deliverMessage(ctx, claimed)] += 1;
  }
  return counts;
}

/** Delivers what was queued, after the answer. Call it after the commit; what fails here is the job's to try again. */
export const deliverSoon = (ctx: Context): void =>
  ctx.defer(async () => {
    await deliverDue(ctx);
  });

/** Messages that are not in the chat as they should be. */
export interface Undelivered {
  readonly waiting: number;
  /** The chat refused them for good; the newest wish of each stays undone. */
  readonly givenUp: number;
}

export const countUndelivered = (ctx: Context): Promise<Undelivered> => store.countUndelivered(ctx.database.query);
