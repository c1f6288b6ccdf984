import type { Queryable } from "#db/client";
import { deliverSoon } from "#server/chat/deliver-soon";
import type { Context } from "#server/context";
import { cancelExpired, cancelOfLeavers } from "./store";
import { tellOfChanges } from "./tell-of-changes";
import type { VaultRequest } from "./vault-request";

type Cancel = (tx: Queryable, now: Date, limit: number) => Promise<VaultRequest[]>;

/** Small enough that a transaction takes well under a second, large enough that a thousand at once are done in a few. */
const batchSize = 200;

/**
 * Cancels the requests that end without anybody's doing: whose time is over, and whose member left the faction.
 * @param signal stops it between two batches
 * @returns how many of each
 */
export async function endByItself(
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

/** One statement cancels the batch; what belongs to each request stands or falls with it. */
const endBatch = (ctx: Context, cancel: Cancel): Promise<number> =>
  ctx.database.transaction(async (tx) => {
    const ended = await cancel(tx, ctx.now(), batchSize);
    const doing = { act: "vault-request-expired", actor: "job:end-vault-requests" } as const;
    await tellOfChanges(
      ctx,
      tx,
      ended.map((request) => ({ request, doing, told: true })),
    );
    return ended.length;
  });
