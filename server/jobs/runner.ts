import { type Context, inBackground } from "#server/context";
import { isGameCallError, isOutage } from "#server/game/game-call-error";
import { describeError } from "#server/platform/errors";
import { secondMs } from "#server/platform/time";
import { createDeadline, within } from "#server/platform/within";
import { type Job, leaseSeconds, newestSlot } from "./job";
import { jobs } from "./list";
import {
  type ClaimedRun,
  claimSlot,
  closeLostRuns,
  closeRun,
  extendLease,
  findLastRuns,
  type LastRun,
  runId,
} from "./store";

/** Shares slots with all instances on the same database. */
export interface Runner {
  start(): void;
  /** Starts due jobs; resolves when the claims are decided. */
  tick(): Promise<void>;
  /** Resolves when no run is left. */
  idle(): Promise<void>;
  /** Waits for `grace` milliseconds, then marks unfinished runs as failed. */
  stop(grace: number): Promise<void>;
}

/** Extensions per lease. */
const heartbeats = 3;
const lookMs = 1_000;
/** Pause after a failed claim (a database outage); at most a lease. */
const longestRestSeconds = 10;
/** Longer than any healthy run. A hanging one would block its job for ever. */
const longestRunMs = 600_000;

interface JobState {
  readonly job: Job;
  run: ClaimedRun | undefined;
  /** Newest slot that is settled. */
  settled: number | undefined;
  /** Milliseconds since 1970. */
  waitUntil: number;
  running: Promise<void> | undefined;
}

export interface RunnerOptions {
  /** A run is aborted after so many milliseconds, and abandoned after half as many more. */
  readonly longestRunMs?: number;
}

export function createRunner(
  ctx: Context,
  jobs: readonly Job[],
  options: RunnerOptions = {},
): Runner {
  const longest = options.longestRunMs ?? longestRunMs;
  const createdAt = ctx.now().getTime();
  const states = jobs.map(
    (job): JobState => ({
      job,
      run: undefined,
      settled: undefined,
      waitUntil: 0,
      running: undefined,
    }),
  );
  const draining = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  const look = async (state: JobState): Promise<void> => {
    const { job } = state;
    const now = ctx.now();
    const lease = leaseSeconds(job.cadence) * secondMs;
    const slot = newestSlot(job.cadence, now);
    // Missed slots of an outage are not caught up, to avoid a burst.
    if (
      !slot ||
      slot.getTime() === state.settled ||
      state.running ||
      now.getTime() < state.waitUntil
    )
      return;
    try {
      // From before the claim: a claim that reaches the database late has already expired.
      const leaseUntil = new Date(now.getTime() + lease);
      const outcome = await claimSlot(ctx.database.query, { job: job.name, slot, now, leaseUntil });
      if (outcome === "mine" || outcome === "done") state.settled = slot.getTime();
      else state.waitUntil = outcome.getTime();
      if (outcome !== "mine") return;
      // A slot from before the installation is no delay.
      const due = Math.max(slot.getTime(), createdAt);
      ctx.metrics.jobDelay.inc(Math.max(0, (now.getTime() - due) / secondMs));
      state.run = { id: runId(job.name, slot), startedAt: now };
      const work = { run: state.run, draining: draining.signal, longest, lease };
      state.running = executeRun(ctx, job, work).finally(() => {
        state.running = undefined;
      });
    } catch (error) {
      state.waitUntil = now.getTime() + Math.min(lease, longestRestSeconds * secondMs);
      ctx.log.warn(
        { job: job.name, error: describeError(error) },
        "the slot of a job could not be claimed",
      );
    }
  };

  const tick = async () => {
    // Jobs wind down together with pending requests.
    if (ctx.readiness.draining()) draining.abort();
    if (draining.signal.aborted) return;
    for (const state of states) if (!draining.signal.aborted) await look(state);
  };
  const idle = async () => {
    await Promise.all(states.map(({ running }) => running));
  };
  return {
    tick,
    idle,
    start: () => {
      const round = () => {
        looking = tick().finally(() => {
          if (!draining.signal.aborted) timer = setTimeout(round, lookMs);
        });
      };
      round();
    },
    stop: async (grace) => {
      clearTimeout(timer);
      draining.abort();
      await looking;
      await within(grace, idle()).catch(() => {});
      await Promise.all(states.map(({ running, run }) => running && run && giveBack(ctx, run)));
    },
  };
}

interface ClaimedWork {
  readonly run: ClaimedRun;
  readonly draining: AbortSignal;
  /** Milliseconds. */
  readonly longest: number;
  readonly lease: number;
}

/** Always closes the run's row. Never rejects. */
async function executeRun(
  ctx: Context,
  job: Job,
  { run, draining, longest, lease }: ClaimedWork,
): Promise<void> {
  const { id } = run;
  const on = ctx.database.query;
  const held = holdLease(ctx, run, lease);
  const { signal, end } = createDeadline(
    longest,
    "overdue",
    AbortSignal.any([draining, held.lost]),
  );
  const begun = performance.now();
  const observe = (outcome: "done" | "failed") =>
    ctx.metrics.jobRuns.labels(job.name, outcome).observe((performance.now() - begun) / secondMs);
  try {
    const lost = await closeLostRuns(on, job.name, ctx.now());
    if (lost > 0) ctx.log.warn({ job: job.name, lost }, "runs of a process that ended were closed");
    const counts = await within(
      longest * 1.5,
      job.run(inBackground(ctx), { budget: job.budget, signal }),
    );
    await closeRun(on, run, { finishedAt: ctx.now(), outcome: "done", counts });
    observe("done");
    ctx.log.debug({ run: id, counts }, "job done");
  } catch (thrown) {
    observe("failed");
    // The circuit breaker logs an outage once; every job would log it again at each slot.
    if (isGameCallError(thrown) && isOutage(thrown.kind))
      ctx.log.debug({ run: id, kind: thrown.kind }, "job stopped");
    else ctx.log.error({ run: id, error: describeError(thrown) }, "job failed");
    await closeRun(on, run, {
      finishedAt: ctx.now(),
      outcome: "failed",
      error: runError(thrown),
    }).catch(() => {
      // In a database outage the lease expires, and the next runner closes the row.
    });
  } finally {
    held.release();
    end();
  }
}

/**
 * Extends a lease until release. If it expires or is taken over, `lost` aborts: the run ends after
 * the current item, because another process may run it.
 */
function holdLease(
  ctx: Context,
  run: ClaimedRun,
  lease: number,
): { lost: AbortSignal; release: () => void } {
  const lost = new AbortController();
  let end = setTimeout(() => lost.abort(), run.startedAt.getTime() + lease - ctx.now().getTime());
  const extend = async () => {
    const sent = performance.now();
    const held = await extendLease(ctx.database.query, run, new Date(ctx.now().getTime() + lease));
    if (!held) lost.abort();
    if (lost.signal.aborted) return;
    clearTimeout(end);
    end = setTimeout(() => lost.abort(), sent + lease - performance.now());
  };
  const heartbeat = setInterval(() => {
    extend().catch(() => {
      // Retried until the lease expires.
    });
  }, lease / heartbeats);
  const release = () => {
    clearInterval(heartbeat);
    clearTimeout(end);
    lost.abort();
  };
  return { lost: lost.signal, release };
}

/** For runs that outlive the process: the row records the abort. */
async function giveBack(ctx: Context, run: ClaimedRun): Promise<void> {
  const error = "The process was stopped before the run ended.";
  await closeRun(ctx.database.query, run, {
    finishedAt: ctx.now(),
    outcome: "failed",
    error,
  }).catch(() => {});
}

const longestText = 500;

/** Error name, and code or message, without a query's values. */
export function runError(thrown: unknown): string {
  const isQuery =
    typeof thrown === "object" && thrown !== null && "query" in thrown && "cause" in thrown;
  const { name, errorCode, message } = describeError(isQuery ? thrown.cause : thrown);
  return [name, errorCode ?? message].filter(Boolean).join(": ").slice(0, longestText);
}

/**
 * Runs a job in an extra slot.
 * @returns the closed run; undefined if one is in progress, because a job must not overlap with
 * itself
 */
export async function runJobNow(ctx: Context, job: Job): Promise<LastRun | undefined> {
  const on = ctx.database.query;
  const now = ctx.now();
  const lease = leaseSeconds(job.cadence) * secondMs;
  const leaseUntil = new Date(now.getTime() + lease);
  if ((await claimSlot(on, { job: job.name, slot: now, now, leaseUntil })) !== "mine")
    return undefined;
  const run = { id: runId(job.name, now), startedAt: now };
  await executeRun(ctx, job, {
    run,
    draining: new AbortController().signal,
    longest: longestRunMs,
    lease,
  });
  return (await findLastRuns(on, [job.name])).get(job.name);
}

/** Safe on several instances: each slot runs once. */
export function startJobs(ctx: Context, ofDemo: readonly Job[] = []): Runner {
  const runner = createRunner(ctx, [...jobs, ...ofDemo]);
  runner.start();
  return runner;
}
