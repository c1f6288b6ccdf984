import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "#server/context";
import { sweeps, walks } from "./list";
import { findPlaces, keepPlaces } from "./places";
import type { Moment } from "./sweep";
import { sweepTask, type Task, walkTask } from "./task";

/** Milliseconds. A batch that takes longer is followed by one of half the size, a quick one by a larger one. */
const slow = 30;
const quick = 8;
/** Rows. */
const smallest = 16;
const largest = 1_000;
/** Milliseconds. The database belongs to the calls: after a batch it rests as long as the batch took, up to this. */
const longestRest = 50;

const second = 1_000;

/** What a run did. */
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
  const replayable = ctx.database.outages.settledBefore(now, ctx.settings.lifetimes.refreshReuse * second);
  const moment: Moment = { now, lifetimes: { refreshReuse: (now.getTime() - replayable.getTime()) / second } };
  const end = performance.now() + milliseconds;
  const former = await findPlaces(on);
  const opened = await Promise.all(walks.map((walk) => walkTask(on, moment, { walk, place: former[walk.name] ?? 0 })));
  const tasks: Task[] = [...sweeps.map((sweep) => sweepTask(on, moment, sweep)), ...opened];
  let batches = 0;
  let longest = 0;

  const batch = async (task: Task) => {
    const start = performance.now();
    const rows = await task.step();
    const took = performance.now() - start;
    if (took > slow) task.size = Math.max(smallest, task.size >> 1);
    else if (took < quick) task.size = Math.min(largest, task.size << 1);
    batches++;
    longest = Math.max(longest, took);
    ctx.log.debug({ table: task.name, rows, milliseconds: Math.round(took) }, "swept");
    await wait(Math.min(took, longestRest));
  };
  const mayGoOn = () => !signal.aborted && performance.now() < end;

  let open = tasks;
  while (open.length > 0 && mayGoOn()) {
    for (const task of open) if (mayGoOn()) await batch(task);
    open = open.filter(({ done }) => !done);
  }
  await keepPlaces(on, former, Object.fromEntries(opened.map(({ name, place = 0 }) => [name, place])));
  return { moment, tasks, batches, longest };
}
