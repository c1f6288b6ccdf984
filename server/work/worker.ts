import type { Context } from "#server/context";
import { describeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import type { Claim } from "./leases";

/** Rows of one kind, shared by all processes. */
export interface Work<Item extends Claim> {
  readonly name: string;
  /** `dueAt`: when the next item is due; null if unknown. */
  claim(): Promise<{ readonly items: readonly Item[]; readonly dueAt: Date | null }>;
  /** @returns ids of leases that are still this process's */
  extend(items: readonly Item[]): Promise<ReadonlySet<Claim["id"]>>;
  perform(item: Item): Promise<void>;
  /** Its lease may belong to another process, so nothing is written. */
  lose(item: Item): void;
  /** This process ends: the lease is returned. */
  stop(item: Item): void;
}

export interface Worker {
  wake(): void;
  start(): void;
  /** Resolves when nothing can be claimed or is in progress here. */
  run(): Promise<void>;
  /** Milliseconds for work in progress. */
  stop(grace: number): Promise<void>;
}

export const leaseMs = 5 * secondMs;
/** Work stops before its lease ends, so that two processes never overlap. */
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
        wanted = false;
        ctx.log.warn({ work: work.name, error: describeError(error) }, "work could not be claimed");
      })
      .finally(() => {
        looking = undefined;
        if (wanted) wake();
      });
  };
  /** A test's clock does not move, so time alone makes nothing due. */
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
