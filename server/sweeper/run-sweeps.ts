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

/** A third of each minute: an outage's backlog is removed gradually. */
const longestRunMs = 20_000;
/** Larger backlogs are reported as this number. */
const countedAtMost = 10_000;

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

/**
 * Milliseconds. Pauses after a batch for as long as it took, up to this, to leave capacity for
 * calls.
 */
const longestRestMs = 50;

export interface SweepRun {
  readonly now: Date;
  /** Rows by table. */
  readonly removed: ReadonlyMap<string, number>;
  /** Tables with due rows left. */
  readonly open: ReadonlySet<unknown>;
  readonly batches: number;
  /** Longest batch in milliseconds. */
  readonly longest: number;
}

interface Task {
  readonly of: unknown;
  readonly name: string;
  step(): Promise<{ readonly rows: number; readonly isDone: boolean }>;
}

/**
 * Round-robin batches over the tables until nothing is due or the time is over.
 * @param bounds.milliseconds limit of this run; the next run continues
 */
export async function runSweeps(
  ctx: Context,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<SweepRun> {
  const on = ctx.database.query;
  const now = ctx.now();
  // After an outage a client may still fetch an owed reply.
  const reuse = ctx.settings.lifetimes.refreshReuse * secondMs;
  const moment: Moment = { now, replayable: ctx.database.outages.settledBefore(now, reuse) };
  const end = performance.now() + milliseconds;
  const mayGoOn = () => !signal.aborted && performance.now() < end;
  const stored = (await findAppState(on, positionsKey)) ?? "{}";
  /** Resume keys by table. */
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
/** A large table's round spans several runs, so that an idle run is cheap. */
const pagesInRun = 100;
/** Rows of a kind per page and batch. */
const mostOfKind = 400;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Walks a table by key from the last run's position, on any instance, and wraps around. */
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

/** Due rows left after the last run, each table counted up to 10,000. */
export interface Backlog {
  readonly rows: number;
  readonly tables: Readonly<Record<string, number>>;
}

const duePrefix = "due.";

/** Null before the first run. */
export function backlogIn(counts: Counts | null): Backlog | null {
  if (counts === null) return null;
  const due = Object.entries(counts).filter(([name]) => name.startsWith(duePrefix));
  return {
    rows: counts.due ?? 0,
    tables: Object.fromEntries(due.map(([name, rows]) => [name.slice(duePrefix.length), rows])),
  };
}
