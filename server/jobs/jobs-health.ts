import type { Context } from "#server/context";
import { dueSlots, type Job } from "./job";
import { jobs } from "./list";
import { findLastRuns, type LastRun } from "./store";

/** A restart or a slow run explains this many missed slots. */
const toleratedSlots = 3;

export async function readJobsHealth(ctx: Context): Promise<JobHealth[]> {
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

export type JobHealth = ReturnType<typeof jobHealth>;

function jobHealth(
  ctx: Context,
  { name, cadence }: Job,
  { last, done }: { readonly last: LastRun | undefined; readonly done: LastRun | undefined },
) {
  const oldest = dueSlots(cadence, ctx.now(), toleratedSlots).at(-1);
  const isRecent = (run: LastRun) => oldest !== undefined && run.slot >= oldest;
  const isFirstRun = !done && last?.outcome === null && isRecent(last);
  return {
    name,
    /** "late": three slots without a successful run. "waiting": no run has ended yet. */
    status: !last || isFirstRun ? "waiting" : done && isRecent(done) ? "ok" : "late",
    lastSlot: last?.slot ?? null,
    lastOutcome: last ? (last.outcome ?? "running") : null,
    lastDone: done?.finishedAt ?? null,
    counts: done?.counts ?? null,
    backlog: { items: done?.counts?.left ?? 0, oldestSeconds: done?.counts?.oldest ?? null },
  } as const;
}
