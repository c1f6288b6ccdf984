import type { Context } from "#server/context";
import { isGameError } from "#server/game/game-error";
import { isOutage } from "#server/game/outage";
import { describeError } from "#server/platform/describe-error";
import { within } from "#server/platform/within";
import { newestSlot } from "./cadence";
import type { Job } from "./job";
import { runError } from "./run-error";
import { claimSlot, closeLostRuns, closeRun, extendLease, runId } from "./store";

/** Runs jobs in this process, sharing their slots with all other instances on the same database. */
export interface Runner {
  start(): void;
  /** Looks once at every job and starts what is due; resolves when the claims are decided. */
  tick(): Promise<void>;
  /** Resolves when nothing runs here any more. */
  idle(): Promise<void>;
  /** Lets running jobs finish for so long since draining began, then gives their slots back as failed. */
  stop(graceSeconds?: number): Promise<void>;
}

/** Long enough for a pause of the process, short enough that the slot of a dead one is soon taken over. */
const leaseSeconds = 60;
const heartbeatMs = 20_000;
const lookMs = 1_000;
/** However long draining took already, a run that is about to end may do so. */
const leastGraceMs = 500;
/** After a failed claim (the database is away) nothing is tried for so long. */
const restSeconds = 10;
/** Longer than any run that gets on. One that does not would keep its job from ever running again. */
const longestRunMs = 600_000;

interface Standing {
  readonly job: Job;
  /** The claimed run, while it is going. */
  run: string | undefined;
  /** The newest slot that needs no further look here. */
  settled: number | undefined;
  /** Not to be looked at before; milliseconds since 1970. */
  waitUntil: number;
  running: Promise<void> | undefined;
}

export interface RunnerOptions {
  /** After so many milliseconds a run is told to end, and after half as many more it is given up. */
  readonly longestRunMs?: number;
}

export function openRunner(ctx: Context, jobs: readonly Job[], options: RunnerOptions = {}): Runner {
  const longest = options.longestRunMs ?? longestRunMs;
  const standings = jobs.map(
    (job): Standing => ({ job, run: undefined, settled: undefined, waitUntil: 0, running: undefined }),
  );
  const draining = new AbortController();
  let drainingSince = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  const look = async (standing: Standing): Promise<void> => {
    const { job } = standing;
    const now = ctx.now();
    const slot = newestSlot(job.cadence, now);
    // Only the newest slot counts: what was missed during an outage is not caught up in a burst.
    if (!slot || slot.getTime() === standing.settled || standing.running || now.getTime() < standing.waitUntil) return;
    try {
      const leaseUntil = new Date(now.getTime() + leaseSeconds * 1_000);
      const outcome = await claimSlot(ctx.database.query, { job: job.name, slot, now, leaseUntil });
      if (outcome === "mine" || outcome === "done") standing.settled = slot.getTime();
      else standing.waitUntil = outcome.getTime();
      if (outcome !== "mine") return;
      standing.run = runId(job.name, slot);
      standing.running = carryOut(ctx, job, { id: standing.run, draining: draining.signal, longest }).finally(() => {
        standing.running = undefined;
      });
    } catch (error) {
      standing.waitUntil = now.getTime() + restSeconds * 1_000;
      ctx.log.warn({ job: job.name, error: describeError(error) }, "the slot of a job could not be claimed");
    }
  };

  const drain = () => {
    if (draining.signal.aborted) return;
    drainingSince = ctx.now().getTime();
    draining.abort();
  };
  const tick = async () => {
    // Jobs wind down together with the requests under way, not after them.
    if (ctx.readiness.draining()) drain();
    if (draining.signal.aborted) return;
    for (const standing of standings) await look(standing);
  };
  const idle = async () => {
    await Promise.all(standings.map(({ running }) => running));
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
    stop: async (graceSeconds = 10) => {
      clearTimeout(timer);
      drain();
      await looking;
      const left = drainingSince + graceSeconds * 1_000 - ctx.now().getTime();
      await within(Math.max(left, leastGraceMs), idle()).catch(() => {});
      for (const { running, run } of standings) if (running && run) await giveBack(ctx, run);
    },
  };
}

/** Runs a claimed slot and closes its row, whatever happens. Never rejects. */
async function carryOut(
  ctx: Context,
  job: Job,
  of: { id: string; draining: AbortSignal; longest: number },
): Promise<void> {
  const { id, draining, longest } = of;
  const on = ctx.database.query;
  const overdue = new AbortController();
  const overdueAt = setTimeout(() => overdue.abort(), longest);
  const heartbeat = setInterval(() => {
    extendLease(on, id, new Date(ctx.now().getTime() + leaseSeconds * 1_000)).catch(() => {});
  }, heartbeatMs);
  try {
    const lost = await closeLostRuns(on, job.name, ctx.now());
    if (lost > 0) ctx.log.warn({ job: job.name, lost }, "runs of a process that ended were closed");
    const signal = AbortSignal.any([draining, overdue.signal]);
    const counts = await within(longest * 1.5, job.run(ctx, { budget: job.budget, signal }));
    await closeRun(on, id, { finishedAt: ctx.now(), outcome: "done", counts });
    ctx.log.debug({ run: id, counts }, "job done");
  } catch (thrown) {
    // An outage is told once, by the breaker: every job that meets it would tell it again at each slot.
    if (isGameError(thrown) && isOutage(thrown.kind)) ctx.log.debug({ run: id, kind: thrown.kind }, "job stopped");
    else ctx.log.error({ run: id, error: describeError(thrown) }, "job failed");
    await closeRun(on, id, { finishedAt: ctx.now(), outcome: "failed", error: runError(thrown) }).catch(() => {
      // The database is away: the lease runs out, and whoever comes next closes the row.
    });
  } finally {
    clearInterval(heartbeat);
    clearTimeout(overdueAt);
  }
}

/** The process ends before the run does. What the run still writes is lost or done; its row says that it did not end. */
async function giveBack(ctx: Context, run: string): Promise<void> {
  const error = "The process was stopped before the run ended.";
  await closeRun(ctx.database.query, run, { finishedAt: ctx.now(), outcome: "failed", error }).catch(() => {});
}
