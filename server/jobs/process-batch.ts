import type { Context } from "#server/context";
import { isGameCallError, isOutage } from "#server/game/game-call-error";
import { isConnectionLost } from "#server/platform/connection-lost";
import { describeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { isTimeout, within } from "#server/platform/within";
import type { Counts, Work } from "./job";

/** The work of one run of a job. */
export interface Batch<Item> {
  /** Due items, the longest untried first. An item notes its attempt before it asks, so that one that fails moves to the end. */
  readonly items: readonly Item[];
  /** Calls to the game that an item may make; by default one. Items that no longer fit the run's budget wait for the next slot. */
  readonly calls?: (item: Item) => number;
  /**
   * Does one item and says what it did, in numbers that are added up: `{ refreshed: 1, members: 40 }`. One that could not even
   * be tried says `{ skipped: 1 }` and gives its calls back. The signal ends when the item has taken too long.
   */
  readonly each: (item: Item, signal: AbortSignal) => Promise<Counts>;
  /** Names an item in the log, by ids alone. */
  readonly name: (item: Item) => Readonly<Record<string, string | number | null>>;
  /** When an item was last tried; null for never. Gives the age of the backlog. */
  readonly triedAt?: (item: Item) => Date | null;
  /** Items that are done side by side. */
  readonly concurrency?: number;
  /** Milliseconds for one item; beyond them it is counted as `slow`, and its worker goes on with the next. */
  readonly timeout?: number;
}

/** Few enough not to burst upon the game, enough that a slow faction does not hold up the others. */
const usualConcurrency = 4;
const usualTimeout = 30_000;

/**
 * Works through the due items of a run: a few at a time, within the run's budget, until the process drains or the game is away.
 * One item that fails (`failed`), that breaks on a fault of ours (`broken`, in the log as an error) or that takes too long
 * (`slow`) does not hold up the others. What is left is due again in the next slot: nothing is caught up in a burst.
 * @returns the sums, with 0 for `failed` and `skipped`; where items were left, `left`, and `oldest`, the seconds since the first of
 *   them was last tried
 * @throws GameCallError where the game is away, and whatever says that the database is: no further item would fare better; the
 *   fault itself where every item broke
 */
export async function processBatch<Item>(
  ctx: Pick<Context, "log" | "now">,
  work: Work,
  plan: Batch<Item>,
): Promise<Counts> {
  const { items, calls = () => 1, concurrency = usualConcurrency } = plan;
  const counts: Record<string, number> = { failed: 0, skipped: 0 };
  let left = work.budget;
  let next = 0;
  let end: { readonly reason: unknown } | undefined;
  const unexpected: unknown[] = [];
  let tried = 0;

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
      const did = await attempt(ctx, work, { plan, item, unexpected }).catch(
        (reason: unknown): Counts => {
          end ??= { reason };
          return {};
        },
      );
      if (did.skipped) left += calls(item);
      for (const [name, count] of Object.entries(did)) counts[name] = (counts[name] ?? 0) + count;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  if (end) throw end.reason;
  // If every item broke, the fault is not one item's, and the run's row says so.
  if (unexpected.length > 0 && unexpected.length === tried) throw unexpected[0];
  return { ...counts, ...backlogOf(plan, next, ctx.now()) };
}

/** The items that were not reached, from item `next` on. */
function backlogOf<Item>({ items, triedAt }: Batch<Item>, next: number, now: Date): Counts {
  const first = items[next];
  if (first === undefined) return {};
  const left = items.length - next;
  const tried = triedAt?.(first);
  return tried
    ? { left, oldest: Math.round((now.getTime() - tried.getTime()) / secondMs) }
    : { left };
}

interface Attempt<Item> {
  readonly plan: Batch<Item>;
  readonly item: Item;
  /** Faults of ours, in the order they came. */
  readonly unexpected: unknown[];
}

async function attempt<Item>(
  ctx: Pick<Context, "log">,
  work: Work,
  of: Attempt<Item>,
): Promise<Counts> {
  const { plan, item } = of;
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
      ctx.log.warn({ ...name, kind: upstream.kind }, "an item of a job was refused by the game");
      return { failed: 1 };
    }
    if (isTimeout(error)) {
      ctx.log.warn(name, "an item of a job took too long");
      return { slow: 1 };
    }
    of.unexpected.push(error);
    ctx.log.error({ ...name, error: describeError(error) }, "an item of a job broke");
    return { broken: 1 };
  } finally {
    overdue.abort();
  }
}
