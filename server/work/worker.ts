import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import type { Claim } from "./leases";

export interface Work<Item extends Claim> {
  /** Names the work in the log. */
  readonly name: string;
  /** Claims what can be done now. `dueAt`: when something will be due; null where nothing is known to be. */
  claim(): Promise<{ readonly items: readonly Item[]; readonly dueAt: Date | null }>;
  /** Extends the leases of these. @returns the ids of those that are still this process's */
  extend(items: readonly Item[]): Promise<ReadonlySet<Claim["id"]>>;
  /** Does one item and writes its result. Never rejects. */
  perform(item: Item): Promise<void>;
  /** Stops an item. Its lease may belong to another process, so nothing more is written of it. */
  lose(item: Item): void;
  /** Stops an item because this process ends: its lease is given back. */
  stop(item: Item): void;
}

/** Does work of one kind in this process. */
export interface Worker {
  /** Looks now. */
  wake(): void;
  /** Looks by itself from now on. */
  start(): void;
  /** Resolves when nothing can be claimed, and nothing is under way here. */
  run(): Promise<void>;
  /** Claims nothing more; what is under way gets so many milliseconds. */
  stop(grace: number): Promise<void>;
}

/** The work of a process that died is claimed again this much later. */
export const leaseMs = 5 * secondMs;
/** Before a lease ends its work is stopped, so that two processes never do it at the same time. */
const believedMs = 4 * secondMs;
const lookMs = secondMs;

export function createWorker<Item extends Claim>(ctx: Context, work: Work<Item>): Worker {
  const items = new Map<Item, Promise<void>>();
  let wanted = false;
  let stopped = false;
  let looking: Promise<void> | undefined;
  let extendedAt = performance.now();
  let looksByItself = false;
  let timer: NodeJS.Timeout | undefined;
  let guarding: NodeJS.Timeout | undefined;

  const begin = (item: Item) => {
    guarding ??= setInterval(guard, lookMs).unref();
    const done = work.perform(item).finally(() => {
      items.delete(item);
      wake();
    });
    items.set(item, done);
  };
  const look = async () => {
    while (wanted && !stopped) {
      wanted = false;
      const start = performance.now();
      const claimed = await work.claim();
      if (items.size === 0) extendedAt = start;
      for (const item of claimed.items) begin(item);
      if (claimed.items.length > 0) wanted = true;
      else if (claimed.dueAt) lookAt(claimed.dueAt);
    }
  };
  const wake = () => {
    wanted = true;
    if (looking || stopped) return;
    looking = look()
      .catch((error: unknown) => {
        // The next look finds the work.
        wanted = false;
        ctx.log.warn({ work: work.name, error: describeError(error) }, "work could not be claimed");
      })
      .finally(() => {
        looking = undefined;
        if (wanted) wake();
      });
  };
  /** A test's clock does not move, so its work is never due by time alone. */
  const lookAt = (dueAt: Date) => {
    const left = dueAt.getTime() - ctx.now().getTime();
    if (!looksByItself || left <= 0 || left >= lookMs) return;
    clearTimeout(timer);
    timer = setTimeout(wake, left).unref();
  };
  const guard = async () => {
    if (looksByItself) wake();
    const held = [...items.keys()];
    if (held.length === 0) return;
    const start = performance.now();
    const ours = await work.extend(held).catch(() => undefined);
    if (ours) {
      extendedAt = start;
      for (const item of held) if (!ours.has(item.id) && items.has(item)) work.lose(item);
    }
    if (performance.now() - extendedAt >= believedMs)
      for (const item of items.keys()) work.lose(item);
  };
  const idle = () => Promise.all(items.values());
  return {
    wake,
    start: () => {
      looksByItself = true;
      guarding ??= setInterval(guard, lookMs).unref();
      wake();
    },
    run: async () => {
      do {
        wake();
        await looking;
        await idle();
      } while (wanted || looking || items.size > 0);
    },
    stop: async (grace) => {
      stopped = true;
      await looking;
      await within(grace, idle()).catch(() => {});
      for (const item of items.keys()) work.stop(item);
      await within(lookMs, idle()).catch(() => {});
      clearInterval(guarding);
      clearTimeout(timer);
    },
  };
}
