import type { Queryable } from "#db/client";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { notifyChanges } from "./notify-changes";
import { cancelExpired, cancelOfLeavers, endClaims } from "./store";
import type { VaultRequest } from "./vault-request";

/** Ends expired requests and claims within five seconds; uses indexes and makes no game calls. */
export const expireVaultRequests: Job = {
  name: "end-vault-requests",
  cadence: { everySeconds: 3 },
  budget: 0,
  run: (ctx, { signal }) => expireDueRequests(ctx, signal),
};

interface Ending {
  readonly act: "vault_request.expired" | "vault_request.released";
  readonly end: (tx: Queryable, now: Date, limit: number) => Promise<VaultRequest[]>;
}

/** Keeps a transaction well under a second; a thousand expirations take a few batches. */
const batchSize = 200;

/**
 * Cancels expired requests and those of former members, and ends claims.
 * @param signal stops it between batches
 */
export async function expireDueRequests(
  ctx: Context,
  signal: AbortSignal,
): Promise<{ readonly expired: number; readonly left: number; readonly released: number }> {
  const endings = {
    expired: await endAll(ctx, { act: "vault_request.expired", end: cancelExpired }, signal),
    left: await endAll(ctx, { act: "vault_request.expired", end: cancelOfLeavers }, signal),
    released: await endAll(ctx, { act: "vault_request.released", end: endClaims }, signal),
  };
  if (Object.values(endings).some((count) => count > 0)) deliverSoon(ctx);
  return endings;
}

/** A batch and its side effects commit together. */
async function endAll(ctx: Context, { act, end }: Ending, signal: AbortSignal): Promise<number> {
  const by = { kind: "job", name: expireVaultRequests.name } as const;
  for (let count = 0; ; ) {
    const ended = await ctx.database.transaction(async (tx) => {
      const requests = await end(tx, ctx.now(), batchSize);
      await notifyChanges(ctx, tx, { by, act, requests });
      return requests.length;
    });
    count += ended;
    if (ended < batchSize || signal.aborted) return count;
  }
}
