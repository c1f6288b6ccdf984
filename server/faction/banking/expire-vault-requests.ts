import type { Queryable } from "#db/client";
import { deliverSoon } from "#server/chat/deliver-message";
import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { notifyChanges } from "./notify-changes";
import { cancelExpired, cancelOfLeavers } from "./store";
import type { VaultRequest } from "./vault-request";

/** Cancels expired requests within five seconds; uses an index and makes no game calls. */
export const expireVaultRequests: Job = {
  name: "end-vault-requests",
  cadence: { everySeconds: 3 },
  budget: 0,
  run: (ctx, { signal }) => expireDueRequests(ctx, signal),
};

type Cancel = (tx: Queryable, now: Date, limit: number) => Promise<VaultRequest[]>;

/** Keeps a transaction well under a second; a thousand expirations take a few batches. */
const batchSize = 200;

/**
 * Cancels expired requests and those of former members.
 * @param signal stops it between batches
 */
export async function expireDueRequests(
  ctx: Context,
  signal: AbortSignal,
): Promise<{ readonly expired: number; readonly left: number }> {
  const expired = await endAll(ctx, cancelExpired, signal);
  const left = await endAll(ctx, cancelOfLeavers, signal);
  if (expired + left > 0) deliverSoon(ctx);
  return { expired, left };
}

async function endAll(ctx: Context, cancel: Cancel, signal: AbortSignal): Promise<number> {
  for (let count = 0; ; ) {
    const ended = await endBatch(ctx, cancel);
    count += ended;
    if (ended < batchSize || signal.aborted) return count;
  }
}

/** The batch and its side effects commit together. */
const endBatch = (ctx: Context, cancel: Cancel): Promise<number> =>
  ctx.database.transaction(async (tx) => {
    const ended = await cancel(tx, ctx.now(), batchSize);
    const by = { kind: "job", name: expireVaultRequests.name } as const;
    const changes = ended.map((request) => ({ request, told: true }));
    await notifyChanges(ctx, tx, { by, act: "vault_request.expired", changes });
    return ended.length;
  });
