import { backgroundContextOf, type Context } from "#server/context";
import { isGameCallError, isOutage } from "#server/game/game-call-error";
import { serializeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { createDeadline, within } from "#server/platform/within";
import { createWorker, type Worker } from "#server/work/worker";
import { type Job, newestSlot } from "./job";
import { jobs } from "./list";
import {
  claimSlots,
  closeLostRuns,
  closeRun,
  type DueSlot,
  findLastRuns,
  type JobRun,
  jobWorkTable,
  type LastRun,
  runId,
} from "./store";

/** Milliseconds. Without a limit, a hanging run would block its job for ever. */
const longestRunMs = 600_000;

export interface RunnerOptions {
  /** A run is aborted after so many milliseconds, and abandoned after half as many more. */
  readonly longestRunMs?: number;
  readonly slotOf?: typeof newestSlot;
}

interface HeldRun extends JobRun {
  readonly does: Job;
  readonly lost: AbortController;
}

/** All processes on the database share the slots. */
export function createRunner(
  ctx: Context,
  jobs: readonly Job[],
  options: RunnerOptions = {},
): Worker {
  const { slotOf = newestSlot } = options;
  const byName = new Map(jobs.map((job) => [job.name, job]));
  const createdAt = ctx.now().getTime();
  /** The newest slot of each job that is claimed or over. */
  const settled = new Map<string, number>();
  const draining = new AbortController();
  const dueSlot = (job: Job, now: Date): DueSlot[] => {
    // Slots missed in an outage are not made up, to avoid a burst.
    const slot = slotOf(job.cadence, now);
    return slot && slot.getTime() !== settled.get(job.name) ? [{ job: job.name, slot }] : [];
  };
  const worker = createWorker<HeldRun>(ctx, {
    name: "jobs",
    table: jobWorkTable,
    claim: async (held) => {
      // A drain ends jobs together with pending requests.
      if (ctx.presence.draining()) draining.abort();
      const now = ctx.now();
      const running = new Set(held.map(({ job }) => job));
      const idle = draining.signal.aborted ? [] : jobs.filter(({ name }) => !running.has(name));
      const due = idle.flatMap((job) => dueSlot(job, now));
      const { claimed, over } = await claimSlots(ctx.database.query, due, now);
      const mine = new Set(claimed.map(({ id }) => id));
      for (const { job, slot } of due) {
        const id = runId(job, slot);
        if (mine.has(id) || over.has(id)) settled.set(job, slot.getTime());
      }
      const items = claimed.flatMap((run) => {
        // A slot from before this runner's start counts as due at the start.
        const late = now.getTime() - Math.max(run.slot.getTime(), createdAt);
        ctx.metrics.jobDelay.inc(Math.max(0, late / secondMs));
        const does = byName.get(run.job);
        return does ? [{ ...run, does, lost: new AbortController() }] : [];
      });
      return { items, dueAt: null };
    },
    perform: (run) =>
      executeRun(ctx, run, {
        draining: draining.signal,
        longest: options.longestRunMs ?? longestRunMs,
      }),
    lose: ({ lost }) => lost.abort(),
    stop: (run) => giveBack(ctx, run),
  });
  const stop = async (grace: number) => {
    draining.abort();
    await worker.stop(grace);
  };
  return { ...worker, stop };
}

/** Always closes the run's row. Never rejects. */
async function executeRun(
  ctx: Context,
  run: HeldRun,
  { draining, longest }: { readonly draining: AbortSignal; readonly longest: number },
): Promise<void> {
  const { id, does: job, lost } = run;
  const on = ctx.database.query;
  const { signal, end } = createDeadline(
    longest,
    "overdue",
    AbortSignal.any([draining, lost.signal]),
  );
  const begun = performance.now();
  const observe = (outcome: "done" | "failed") =>
    ctx.metrics.jobRuns.labels(job.name, outcome).observe((performance.now() - begun) / secondMs);
  try {
    const crashed = await closeLostRuns(on, job.name, ctx.now());
    if (crashed > 0)
      ctx.log.warn({ job: job.name, lost: crashed }, "runs of a process that ended were closed");
    const counts = await within(
      longest * 1.5,
      job.run(backgroundContextOf(ctx), { budget: job.budget, signal }),
    );
    await closeRun(on, run, { finishedAt: ctx.now(), outcome: "done", counts });
    observe("done");
    ctx.log.debug({ run: id, counts }, "job done");
  } catch (thrown) {
    observe("failed");
    // The circuit breaker logs an outage once; every job would log it again at each slot.
    if (isGameCallError(thrown) && isOutage(thrown.kind))
      ctx.log.debug({ run: id, kind: thrown.kind }, "job stopped");
    else ctx.log.error({ run: id, error: serializeError(thrown) }, "job failed");
    await closeRun(on, run, {
      finishedAt: ctx.now(),
      outcome: "failed",
      error: describeRunError(thrown),
    }).catch(() => {
      // In a database outage the lease expires, and the next runner closes the row.
    });
  } finally {
    end();
    lost.abort();
  }
}

async function giveBack(ctx: Context, run: JobRun): Promise<void> {
  const error = "The process was stopped before the run ended.";
  await closeRun(ctx.database.query, run, {
    finishedAt: ctx.now(),
    outcome: "failed",
    error,
  }).catch(() => {});
}

const longestText = 500;

/** Gives the error's name and code or message, without the values of a query. */
export function describeRunError(thrown: unknown): string {
  const isQuery =
    typeof thrown === "object" && thrown !== null && "query" in thrown && "cause" in thrown;
  const { name, errorCode, message } = serializeError(isQuery ? thrown.cause : thrown);
  return [name, errorCode ?? message].filter(Boolean).join(": ").slice(0, longestText);
}

/**
 * Runs the job in an extra slot.
 * @returns the closed run; undefined while another run is in progress
 */
export async function runJobNow(ctx: Context, job: Job): Promise<LastRun | undefined> {
  const now = ctx.now();
  await createRunner(ctx, [job], { slotOf: () => now }).run();
  const last = (await findLastRuns(ctx.database.query, [job.name])).get(job.name);
  return last?.finishedAt && last.slot.getTime() === now.getTime() ? last : undefined;
}

export function startJobs(ctx: Context, ofDemo: readonly Job[] = []): Worker {
  const runner = createRunner(ctx, [...jobs, ...ofDemo]);
  runner.start();
  return runner;
}
