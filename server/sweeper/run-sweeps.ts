import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { findAppState, setAppState } from "#db/app-state";
import type { Queryable } from "#db/client";
import type { Moment } from "#db/sweep";
import type { Context } from "#server/context";
import type { Counts, Job } from "#server/jobs/job";
import { secondMs } from "#server/platform/time";
import { scans, sweeps } from "./list";
import { scanTask, sweepTask, type Task } from "./task";

/** A third of each minute: what an outage left behind is removed little by little. */
const longestRunMs = 20_000;
/** A backlog beyond it is told as this number. */
const countedAtMost = 10_000;

/** Deletes what nobody needs any more: the rows that `list.ts` names. */
export const sweepExpired: Job = {
  name: "sweep-expired",
  cadence: { everySeconds: 60 },
  budget: 0,
  run: async (ctx, { signal }): Promise<Counts> => {
    const { tasks, batches, longest } = await runSweeps(ctx, {
      milliseconds: longestRunMs,
      signal,
    });
    const counts: Record<string, number> = {
      batches,
      longestBatchMilliseconds: Math.round(longest),
      removed: 0,
      due: 0,
    };
    for (const { name, removed, done, countDue } of tasks) {
      if (removed > 0) counts[`removed.${name}`] = removed;
      counts.removed = (counts.removed ?? 0) + removed;
      const due = done ? 0 : await countDue(countedAtMost);
      if (due > 0) counts[`${duePrefix}${name}`] = due;
      counts.due = (counts.due ?? 0) + due;
    }
    return counts;
  },
};

/** A batch that takes longer is followed by one of half the size, a quick one by a larger one. */
const slowBatchMs = 30;
const quickBatchMs = 8;
/** Rows. */
const smallestBatch = 16;
const largestBatch = 1_000;
/** The database belongs to the calls: after a batch it rests as long as the batch took, up to this. */
const longestRestMs = 50;

/** The result of a run. */
export interface SweepRun {
  readonly moment: Moment;
  readonly tasks: readonly Task[];
  readonly batches: number;
  /** Milliseconds that the longest batch took. */
  readonly longest: number;
}

/**
 * Removes what is no longer needed, a batch of every table in turn, until nothing is due or the time is over.
 * @param bounds.milliseconds how long the run may take; what is left then is the next run's
 */
export async function runSweeps(
  ctx: Context,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<SweepRun> {
  const on = ctx.database.query;
  const now = ctx.now();
  // After an outage a client may come back for a reply that it was owed before it.
  const replayable = ctx.database.outages.settledBefore(
    now,
    ctx.settings.lifetimes.refreshReuse * secondMs,
  );
  const moment: Moment = {
    now,
    lifetimes: { refreshReuse: (now.getTime() - replayable.getTime()) / secondMs },
  };
  const end = performance.now() + milliseconds;
  const former = await findScanPositions(on);
  const opened = await Promise.all(
    scans.map((scan) => scanTask(on, moment, { scan, position: former[scan.name] ?? 0 })),
  );
  const tasks: Task[] = [...sweeps.map((sweep) => sweepTask(on, moment, sweep)), ...opened];
  let batches = 0;
  let longest = 0;

  const batch = async (task: Task) => {
    const start = performance.now();
    const rows = await task.step();
    const took = performance.now() - start;
    if (took > slowBatchMs) task.size = Math.max(smallestBatch, task.size >> 1);
    else if (took < quickBatchMs) task.size = Math.min(largestBatch, task.size << 1);
    batches++;
    longest = Math.max(longest, took);
    ctx.log.debug({ table: task.name, rows, milliseconds: Math.round(took) }, "swept");
    await wait(Math.min(took, longestRestMs));
  };
  const mayGoOn = () => !signal.aborted && performance.now() < end;

  let open = tasks;
  while (open.length > 0 && mayGoOn()) {
    for (const task of open) if (mayGoOn()) await batch(task);
    open = open.filter(({ done }) => !done);
  }
  await saveScanPositions(
    on,
    former,
    Object.fromEntries(opened.map(({ name, position = 0 }) => [name, position])),
  );
  return { moment, tasks, batches, longest };
}

/** The page that each scan comes to next, by the scan's name. */
export type ScanPositions = Readonly<Record<string, number>>;

const StoredPositions = z.record(z.string(), z.int().nonnegative());
const scanPositionsKey = "swept-to";

/** The pages at which the last run stopped, on whatever instance. */
export async function findScanPositions(on: Queryable): Promise<ScanPositions> {
  return StoredPositions.parse(JSON.parse((await findAppState(on, scanPositionsKey)) ?? "{}"));
}

/** Remembers where a run stopped. In small tables that is where it began, and nothing is written. */
export async function saveScanPositions(
  on: Queryable,
  former: ScanPositions,
  positions: ScanPositions,
): Promise<void> {
  const moved = Object.entries(positions).some(([name, page]) => page !== (former[name] ?? 0));
  if (moved) await setAppState(on, scanPositionsKey, JSON.stringify(positions));
}

/** Rows that were due and still there when the sweeper's last run ended. Each table is counted up to 10,000. */
export interface Backlog {
  readonly rows: number;
  readonly tables: Readonly<Record<string, number>>;
}

const duePrefix = "due.";

/** The backlog that a run of the sweeper counted; null before the first. */
export function backlogIn(counts: Counts | null): Backlog | null {
  if (counts === null) return null;
  const due = Object.entries(counts).filter(([name]) => name.startsWith(duePrefix));
  return {
    rows: counts.due ?? 0,
    tables: Object.fromEntries(due.map(([name, rows]) => [name.slice(duePrefix.length), rows])),
  };
}
