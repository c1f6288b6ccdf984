import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { findAppState, setAppState } from "#db/app-state";
import type { Queryable } from "#db/client";
import { batchSize, countDue, nameOf, nextPage, sweepBatch } from "#db/sweep";
import type { Context } from "#server/context";
import type { Counts, Job } from "#server/jobs/job";
import type { Moment, Walk } from "#server/oauth/sweep-store";
import { secondMs } from "#server/platform/time";
import { sweeps, walks } from "./list";

/** A third of each minute: what an outage left behind is removed little by little. */
const longestRunMs = 20_000;
/** A larger backlog is reported as this number. */
const countedAtMost = 10_000;

/** Deletes what is no longer needed: the rows that `list.ts` names. */
export const sweepExpired: Job = {
  name: "sweep-expired",
  cadence: { everySeconds: 60 },
  budget: 0,
  run: async (ctx, { signal }): Promise<Counts> => {
    const { removed, open, now, batches, longest } = await runSweeps(ctx, {
      milliseconds: longestRunMs,
      signal,
    });
    const counts: Record<string, number> = {
      batches,
      longestBatchMilliseconds: Math.round(longest),
      removed: 0,
      due: 0,
    };
    const count = (name: string, by: number) => {
      counts[name] = (counts[name] ?? 0) + by;
    };
    for (const [name, rows] of removed) {
      count("removed", rows);
      if (rows > 0) count(`removed.${name}`, rows);
    }
    for (const sweep of sweeps.filter((each) => open.has(each))) {
      const due = await countDue(ctx.database.query, sweep, { now, most: countedAtMost });
      count("due", due);
      if (due > 0) count(`${duePrefix}${nameOf(sweep)}`, due);
    }
    return counts;
  },
};

/** The database belongs to the calls: after a batch it rests as long as the batch took, up to this. */
const longestRestMs = 50;

/** The result of a run. */
export interface SweepRun {
  readonly now: Date;
  /** Rows by table. */
  readonly removed: ReadonlyMap<string, number>;
  /** What the run did not come to the end of. */
  readonly open: ReadonlySet<unknown>;
  readonly batches: number;
  /** Milliseconds that the longest batch took. */
  readonly longest: number;
}

/** One table of a run. */
interface Task {
  readonly of: unknown;
  readonly name: string;
  /** Does one batch. */
  step(): Promise<{ readonly rows: number; readonly isDone: boolean }>;
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
  const reuse = ctx.settings.lifetimes.refreshReuse * secondMs;
  const moment: Moment = { now, replayable: ctx.database.outages.settledBefore(now, reuse) };
  const end = performance.now() + milliseconds;
  const mayGoOn = () => !signal.aborted && performance.now() < end;
  const stored = (await findAppState(on, positionsKey)) ?? "{}";
  /** The key at which the last run stopped, by table. */
  const positions = new Map(Object.entries(StoredPositions.parse(JSON.parse(stored))));
  const removed = new Map<string, number>();
  let batches = 0;
  let longest = 0;

  const batch = async ({ name, step }: Task): Promise<boolean> => {
    const start = performance.now();
    const { rows, isDone } = await step();
    const took = performance.now() - start;
    batches++;
    longest = Math.max(longest, took);
    removed.set(name, (removed.get(name) ?? 0) + rows);
    ctx.log.debug({ table: name, rows, milliseconds: Math.round(took) }, "swept");
    await wait(Math.min(took, longestRestMs));
    return isDone;
  };
  let open: Task[] = [
    ...sweeps.map((sweep) => ({
      of: sweep,
      name: nameOf(sweep),
      step: async () => {
        const rows = await sweepBatch(on, sweep, now);
        return { rows, isDone: rows < batchSize && (rows === 0 || !sweep.grows) };
      },
    })),
    ...walks.map((walk) => walkTask(on, walk, { moment, positions })),
  ];
  while (open.length > 0 && mayGoOn()) {
    const left: Task[] = [];
    for (const task of open) if (!mayGoOn() || !(await batch(task))) left.push(task);
    open = left;
  }
  const reached = JSON.stringify(Object.fromEntries(positions));
  if (reached !== stored) await setAppState(on, positionsKey, reached);
  return { now, removed, open: new Set(open.map(({ of }) => of)), batches, longest };
}

const pageSize = 200;
/** In a large table a round takes several runs, so that a run which finds nothing stays cheap. */
const pagesInRun = 100;
/** Rows of a kind that a page may lose in one batch. */
const mostOfKind = 400;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Goes through a table by its key from where the last run stopped, on whatever instance, and begins again after its end. */
function walkTask(
  on: Queryable,
  walk: Walk,
  { moment, positions }: { readonly moment: Moment; readonly positions: Map<string, string> },
): Task {
  const name = nameOf(walk);
  let pages = 0;
  return {
    of: walk,
    name,
    step: async () => {
      const after = positions.get(name) ?? firstId;
      const { ids, page } = await nextPage(on, walk.table, { after, limit: pageSize });
      const rows = ids.length === 0 ? 0 : await walk.clear(on, page, moment, mostOfKind);
      if (rows >= mostOfKind) return { rows, isDone: false };
      const isEnd = ids.length < pageSize;
      if (isEnd) positions.delete(name);
      else positions.set(name, ids.at(-1) ?? firstId);
      return { rows, isDone: isEnd || ++pages >= pagesInRun };
    },
  };
}

const StoredPositions = z.record(z.string(), z.uuid());
const positionsKey = "walked-to";

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
