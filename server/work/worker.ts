import type { Context } from "#server/context";
import { serializeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { within } from "#server/platform/within";
import { type Claim, extendClaims, leaseMs, type WorkTable } from "./leases";
import { createWakeLoop } from "./wake-loop";

export interface WorkSpec<Item extends Claim> {
  readonly name: string;
  readonly table: WorkTable;
  /** `dueAt`: when the next item is due; null if unknown. */
  claim(
    held: readonly Item[],
  ): Promise<{ readonly items: readonly Item[]; readonly dueAt: Date | null }>;
  /** After a failure the item is claimed again when its lease ends. */
  perform(item: Item): Promise<void>;
  /** False if no other item can be claimed when this one ends. */
  frees?(item: Item): boolean;
  /** Called if another process may have claimed the item: write nothing any more. */
  lose?(item: Item): void;
  /** Called if the process ends before the item, to return the item's lease. */
  stop?(item: Item): void | Promise<void>;
}

export type Worker = ReturnType<typeof createWorker>;

/** Work stops before its lease ends, so that two processes never overlap. */
const believedMs = leaseMs - secondMs;
const lookMs = secondMs;

export function createWorker<Item extends Claim>(ctx: Context, work: WorkSpec<Item>) {
  // Jobs may keep the background connections busy for longer than a lease.
  const on = ctx.database.query;
  const items = new Map<Item, Promise<void>>();
  let stopped = false;
  let extendedAt = performance.now();
  let looksByItself = false;
  let timer: NodeJS.Timeout | undefined;
  let guarding: NodeJS.Timeout | undefined;

  const perform = async (item: Item) => {
    try {
      await work.perform(item);
    } catch (error) {
      const { id } = item;
      ctx.log.error({ work: work.name, id, error: serializeError(error) }, "an item of work broke");
    } finally {
      items.delete(item);
      if (items.size === 0 && !looksByItself) endGuard();
      if (work.frees?.(item) ?? true) wake();
    }
  };
  const claims = createWakeLoop({
    run: async () => {
      if (stopped) return;
      const start = performance.now();
      const claimed = await work.claim([...items.keys()]);
      if (items.size === 0) extendedAt = start;
      for (const item of claimed.items) {
        guarding ??= setInterval(guard, lookMs).unref();
        items.set(item, perform(item));
      }
      if (claimed.items.length > 0) claims.wake();
      else if (claimed.dueAt) lookAt(claimed.dueAt);
    },
    onFailure: (error) =>
      ctx.log.warn({ work: work.name, error: serializeError(error) }, "work could not be claimed"),
  });
  const wake = () => {
    if (!stopped) claims.wake();
  };
  /** Only a started worker waits for due times, because a test's clock does not move. */
  const lookAt = (dueAt: Date) => {
    const left = dueAt.getTime() - ctx.now().getTime();
    if (!looksByItself || left <= 0 || left >= lookMs) return;
    clearTimeout(timer);
    timer = setTimeout(wake, left).unref();
  };
  const loseLate = () => {
    if (performance.now() - extendedAt >= believedMs)
      for (const item of items.keys()) work.lose?.(item);
  };
  const guard = async () => {
    wake();
    const held = [...items.keys()];
    if (held.length === 0) return;
    // The process may have been frozen, or an extension may have hung, for longer than a lease.
    loseLate();
    const start = performance.now();
    const ours = await extendClaims(on, work.table, held).catch(() => undefined);
    if (ours) {
      extendedAt = Math.max(extendedAt, start);
      for (const item of held) if (!ours.has(item.id) && items.has(item)) work.lose?.(item);
    }
    loseLate();
  };
  const endGuard = () => {
    clearInterval(guarding);
    guarding = undefined;
  };
  const idle = async () => {
    await Promise.all(items.values());
  };
  return {
    wake,
    look: claims.run,
    held: () => [...items.keys()],
    idle,
    start: () => {
      looksByItself = true;
      guarding ??= setInterval(guard, lookMs).unref();
      wake();
    },
    /** Resolves when nothing can be claimed or is in progress in this process. */
    run: async () => {
      do {
        await claims.run();
        await idle();
      } while (!stopped && (claims.running() || items.size > 0));
    },
    /** @param grace milliseconds for work in progress */
    stop: async (grace: number) => {
      stopped = true;
      await claims.running()?.catch(() => {});
      await within(grace, idle()).catch(() => {});
      await Promise.all([...items.keys()].map((item) => work.stop?.(item)));
      await within(lookMs, idle()).catch(() => {});
      endGuard();
      clearTimeout(timer);
    },
  };
}
