import type { Context } from "#server/context";
import { type Counts, dueSlots, type Job } from "./job";
import { jobs } from "./list";
import { findLastRuns, type LastRun } from "./store";

export interface JobHealth {
  readonly name: string;
  /** "late": three slots without a successful run. "waiting": it never ran. */
  readonly status: "ok" | "late" | "waiting";
  /** The newest run, which may be in progress. */
  readonly lastSlot: Date | null;
  readonly lastOutcome: "running" | "done" | "failed" | null;
  /** Last success. */
  readonly lastDone: Date | null;
  readonly counts: Counts | null;
  /** Items left for later runs, and the age of the oldest. */
  readonly backlog: { readonly items: number; readonly oldestSeconds: number | null };
}

/** As many missed slots as a restart or a slow run explains. */
const toleratedSlots = 3;

/** For readiness. */
export async function jobsHealth(ctx: Context): Promise<JobHealth[]> {
  const on = ctx.database.keyPool;
  const names = jobs.map(({ name }) => name);
  const [last, done] = await Promise.all([
    findLastRuns(on, names),
    findLastRuns(on, names, "done"),
  ]);
  return jobs.map((job) =>
    jobHealth(ctx, job, { last: last.get(job.name), done: done.get(job.name) }),
  );
}

interface Runs {
  readonly last: LastRun | undefined;
  readonly done: LastRun | undefined;
}

function jobHealth(ctx: Context, job: Job, { last, done }: Runs): JobHealth {
  const oldest = dueSlots(job.cadence, ctx.now(), toleratedSlots).at(-1);
  const inTime =
    done !== undefined && oldest !== undefined && done.slot.getTime() >= oldest.getTime();
  return {
    name: job.name,
    status: last === undefined ? "waiting" : inTime ? "ok" : "late",
    lastSlot: last?.slot ?? null,
    lastOutcome: last ? (last.outcome ?? "running") : null,
    lastDone: done?.finishedAt ?? null,
    counts: done?.counts ?? null,
    backlog: { items: done?.counts?.left ?? 0, oldestSeconds: done?.counts?.oldest ?? null },
  };
}
