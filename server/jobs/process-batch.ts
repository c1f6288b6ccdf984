import type { Context } from "#server/context";
import { isGameCallError, isOutage } from "#server/game/game-call-error";
import { isConnectionLost, serializeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { isTimeout, within } from "#server/platform/within";
import type { Counts, RunLimits } from "./job";

export interface Batch<Item> {
  /** Sorted by last attempt, which each item records, so that a failing item moves to the end. */
  readonly items: readonly Item[];
  /** Game calls per item, default one. Items beyond the budget wait for the next slot. */
  readonly calls?: (item: Item) => number;
  /** Returns counts to sum; `{ skipped: 1 }` also gives the item's calls back. */
  readonly each: (item: Item, signal: AbortSignal) => Promise<Counts>;
  /** Ids only, for the log. */
  readonly name: (item: Item) => Readonly<Record<string, string | number | null>>;
  /** Last attempt; null for never. */
  readonly triedAt?: (item: Item) => Date | null;
  readonly concurrency?: number;
  /** Milliseconds per item; a longer item counts as `slow`, and its worker goes on. */
  readonly timeout?: number;
}

/** Limits bursts on the game, while a slow faction does not block others. */
const usualConcurrency = 4;
const usualTimeout = 30_000;

/**
 * At a drain or an outage, the remaining items wait for the next slot. `failed` counts refusals by
 * the game, `broken` faults of ours, `slow` timeouts.
 * @returns sums; if items remain also `left`, and `oldest`, their age in seconds
 * @throws GameCallError or a database error in an outage; the fault if every item broke
 */
export async function processBatch<Item>(
  ctx: Pick<Context, "log" | "now">,
  work: RunLimits,
  plan: Batch<Item>,
): Promise<Counts> {
  const { items, calls = () => 1, concurrency = usualConcurrency } = plan;
  const counts: Record<string, number> = { failed: 0, skipped: 0 };
  let left = work.budget;
  let next = 0;
  let end: { readonly reason: unknown } | undefined;
  const unexpected: unknown[] = [];
  let tried = 0;

  const attempt = async (item: Item): Promise<Counts> => {
    const overdue = new AbortController();
    try {
      const signal = AbortSignal.any([work.signal, overdue.signal]);
      return await within(plan.timeout ?? usualTimeout, plan.each(item, signal));
    } catch (error) {
      const upstream = isGameCallError(error) ? error : undefined;
      if (isConnectionLost(error) || (upstream && isOutage(upstream.kind))) throw error;
      const name = plan.name(item);
      if (upstream?.kind === "owner-budget") return { skipped: 1 };
      if (upstream) {
        const { kind } = upstream;
        ctx.log.warn({ ...name, kind }, "an item of a job was refused by the game");
        return { failed: 1 };
      }
      if (isTimeout(error)) {
        ctx.log.warn(name, "an item of a job took too long");
        return { slow: 1 };
      }
      unexpected.push(error);
      ctx.log.error({ ...name, error: serializeError(error) }, "an item of a job broke");
      return { broken: 1 };
    } finally {
      overdue.abort();
    }
  };
  const take = (): Item | undefined => {
    const item = items[next];
    if (item === undefined || end || work.signal.aborted || left < calls(item)) return undefined;
    next++;
    left -= calls(item);
    return item;
  };
  const worker = async (): Promise<void> => {
    for (let item = take(); item !== undefined; item = take()) {
      tried++;
      const did = await attempt(item).catch((reason: unknown): Counts => {
        end ??= { reason };
        return {};
      });
      if (did.skipped) left += calls(item);
      for (const [name, count] of Object.entries(did)) counts[name] = (counts[name] ?? 0) + count;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (end) throw end.reason;
  // If every item broke, the fault is general, and the run's row records it.
  if (unexpected.length > 0 && unexpected.length === tried) throw unexpected[0];
  return { ...counts, ...backlogOf(plan, next, ctx.now()) };
}

function backlogOf<Item>({ items, triedAt }: Batch<Item>, next: number, now: Date): Counts {
  const first = items[next];
  if (first === undefined) return {};
  const left = items.length - next;
  const tried = triedAt?.(first);
  return tried
    ? { left, oldest: Math.round((now.getTime() - tried.getTime()) / secondMs) }
    : { left };
}
