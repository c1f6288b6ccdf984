import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { findAppState, setAppState } from "#db/app-state";
import type { Queryable } from "#db/client";
import { batchSize, countDue, listNextIds, sweepBatch, tableNameOf } from "#db/sweep";
import type { Context } from "#server/context";
import type { Counts, Job } from "#server/jobs/job";
import type { PagedSweep, SweepTimes } from "#server/oauth/sweep-store";
import { secondMs } from "#server/platform/time";
import { sweeps, tableWalks } from "./list";

/** A run starts each minute and may take this long. */
const longestRunMs = 20_000;
const countedAtMost = 10_000;

export const sweepExpiredJob: Job = {
  name: "sweep-expired",
  cadence: { everySeconds: 60 },
  budget: 0,
  run: (ctx, { signal }) => runSweeps(ctx, { milliseconds: longestRunMs, signal }),
};

/** Milliseconds. A pause is as long as the batch before, up to this limit. */
const longestRestMs = 50;

interface Task {
  readonly name: string;
  step(): Promise<{ readonly rows: number; readonly isDone: boolean }>;
  readonly countDue?: () => Promise<number>;
}

/** Sweeps the tables round-robin until nothing is due or the time is over. */
export async function runSweeps(
  ctx: Context,
  { milliseconds, signal }: { readonly milliseconds: number; readonly signal: AbortSignal },
): Promise<Counts> {
  const on = ctx.database.query;
  const now = ctx.now();
  // Outages extend the time in which a client may fetch its reply again.
  const reuse = ctx.settings.lifetimes.refreshReuse * secondMs;
  const moment: SweepTimes = { now, replayable: ctx.database.outages.settledBefore(now, reuse) };
  const end = performance.now() + milliseconds;
  const mayGoOn = () => !signal.aborted && performance.now() < end;
  const stored = (await findAppState(on, positionsKey)) ?? "{}";
  /** The last visited id of each walk. */
  const positions = new Map(Object.entries(StoredPositions.parse(JSON.parse(stored))));
  const counts: Record<string, number> = { batches: 0, removed: 0, due: 0 };
  const count = (name: string, by: number) => {
    if (by > 0) counts[name] = (counts[name] ?? 0) + by;
  };
  let longest = 0;

  const batch = async ({ name, step }: Task): Promise<boolean> => {
    const start = performance.now();
    const { rows, isDone } = await step();
    const took = performance.now() - start;
    longest = Math.max(longest, took);
    count("batches", 1);
    count("removed", rows);
    count(`removed.${name}`, rows);
    ctx.log.debug({ table: name, rows, milliseconds: Math.round(took) }, "swept");
    await wait(Math.min(took, longestRestMs));
    return isDone;
  };
  let open: Task[] = [
    ...sweeps.map((sweep) => ({
      name: tableNameOf(sweep),
      step: async () => {
        const rows = await sweepBatch(on, sweep, now);
        return { rows, isDone: rows < batchSize && (rows === 0 || !sweep.grows) };
      },
      countDue: () => countDue(on, sweep, { now, most: countedAtMost }),
    })),
    ...tableWalks.map((walk) => walkTask(on, walk, { moment, positions })),
  ];
  while (open.length > 0 && mayGoOn()) {
    const left: Task[] = [];
    for (const task of open) if (!mayGoOn() || !(await batch(task))) left.push(task);
    open = left;
  }
  const reached = JSON.stringify(Object.fromEntries(positions));
  if (reached !== stored) await setAppState(on, positionsKey, reached);
  for (const { name, countDue: countLeft } of open) {
    const rows = (await countLeft?.()) ?? 0;
    count("due", rows);
    count(`${duePrefix}${name}`, rows);
  }
  return { ...counts, longestBatchMilliseconds: Math.round(longest) };
}

const pageSize = 200;
/** Bounds a run that finds nothing. */
const pagesInRun = 100;
const mostOfKind = 400;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Each run continues at the position of the last run and wraps around at the end. */
function walkTask(
  on: Queryable,
  walk: PagedSweep,
  { moment, positions }: { readonly moment: SweepTimes; readonly positions: Map<string, string> },
): Task {
  const name = tableNameOf(walk);
  let pages = 0;
  return {
    name,
    step: async () => {
      const after = positions.get(name) ?? firstId;
      const { ids, page } = await listNextIds(on, walk.table, { after, limit: pageSize });
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

/** Each table is counted up to 10,000 rows. */
interface Backlog {
  readonly rows: number;
  readonly tables: Readonly<Record<string, number>>;
}

const duePrefix = "due.";

export function sweepBacklogOf(counts: Counts | null): Backlog | null {
  if (counts === null) return null;
  const due = Object.entries(counts).filter(([name]) => name.startsWith(duePrefix));
  return {
    rows: counts.due ?? 0,
    tables: Object.fromEntries(due.map(([name, rows]) => [name.slice(duePrefix.length), rows])),
  };
}
