import { and, desc, eq, gt, inArray, isNull, lt, lte, ne, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { jobRuns } from "#db/schema/operations";
import type { Sweep } from "#db/sweep";
import { daySeconds, minuteMs } from "#server/platform/time";
import type { Counts } from "./job";

/** Derived from job and slot, so that only one instance can insert it. */
export const runId = (job: string, slot: Date): string => `${job}:${slot.toISOString()}`;

export interface Claim {
  readonly job: string;
  readonly slot: Date;
  readonly now: Date;
  readonly leaseUntil: Date;
}

/** The claim time acts as a fencing token: a takeover changes it. */
export interface ClaimedRun {
  readonly id: string;
  readonly startedAt: Date;
}

const stillClaimed = ({ id, startedAt }: ClaimedRun) =>
  and(eq(jobRuns.id, id), eq(jobRuns.startedAt, startedAt), isNull(jobRuns.finishedAt));

/** "mine": run it; "done": already run; a date: end of the current lease. */
export type ClaimOutcome = "mine" | "done" | Date;

/** Takes over an expired lease. */
export async function claimSlot(
  on: Queryable,
  { job, slot, now, leaseUntil }: Claim,
): Promise<ClaimOutcome> {
  const id = runId(job, slot);
  // A job does not overlap with itself: another instance still runs an earlier slot.
  const [busy] = await on
    .select({ leaseUntil: jobRuns.leaseUntil })
    .from(jobRuns)
    .where(
      and(
        eq(jobRuns.job, job),
        ne(jobRuns.id, id),
        isNull(jobRuns.finishedAt),
        gt(jobRuns.leaseUntil, now),
      ),
    )
    .limit(1);
  if (busy) return busy.leaseUntil;
  const claimed = await on
    .insert(jobRuns)
    .values({ id, job, slot, startedAt: now, leaseUntil })
    .onConflictDoUpdate({
      target: jobRuns.id,
      set: { startedAt: now, leaseUntil },
      setWhere: and(isNull(jobRuns.finishedAt), lte(jobRuns.leaseUntil, now)),
    })
    .returning({ id: jobRuns.id });
  if (claimed.length > 0) return "mine";
  const [other] = await on
    .select({ finishedAt: jobRuns.finishedAt, leaseUntil: jobRuns.leaseUntil })
    .from(jobRuns)
    .where(eq(jobRuns.id, id));
  return other && other.finishedAt === null ? other.leaseUntil : "done";
}

/** @returns false if the run was taken over or closed */
export async function extendLease(
  on: Queryable,
  run: ClaimedRun,
  leaseUntil: Date,
): Promise<boolean> {
  const extended = await on
    .update(jobRuns)
    .set({
      leaseUntil: sql`greatest(${jobRuns.leaseUntil}, ${leaseUntil.toISOString()}::timestamptz)`,
    })
    .where(stillClaimed(run))
    .returning({ id: jobRuns.id });
  return extended.length > 0;
}

export interface Ending {
  readonly finishedAt: Date;
  readonly outcome: "done" | "failed";
  readonly counts?: Counts;
  readonly error?: string;
}

/** Retention of all runs, so that an instance with a slow clock finds its slot done. */
const idleRunsKept = 10 * minuteMs;
/** Each closed run makes about one earlier run old enough. */
const idleRunsAtOnce = 4;

/** On success also removes earlier runs without counts, which are most. */
export async function closeRun(on: Queryable, run: ClaimedRun, ending: Ending): Promise<void> {
  const [closed] = await on
    .update(jobRuns)
    .set({ ...ending, counts: ending.counts ?? null, error: ending.error ?? null })
    .where(stillClaimed(run))
    .returning({ job: jobRuns.job, slot: jobRuns.slot });
  if (!closed || ending.outcome !== "done") return;
  const old = on
    .select({ id: jobRuns.id })
    .from(jobRuns)
    .where(
      and(
        eq(jobRuns.job, closed.job),
        lt(jobRuns.slot, new Date(closed.slot.getTime() - idleRunsKept)),
      ),
    )
    .orderBy(desc(jobRuns.slot))
    .limit(idleRunsAtOnce);
  const countedNothing = sql`not exists (select 1 from jsonb_each_text(${jobRuns.counts}) where value <> '0')`;
  await on
    .delete(jobRuns)
    .where(and(inArray(jobRuns.id, old), eq(jobRuns.outcome, "done"), countedNothing));
}

/**
 * For crashed processes, in earlier slots.
 * @returns the count
 */
export async function closeLostRuns(on: Queryable, job: string, now: Date): Promise<number> {
  const lost = await on
    .update(jobRuns)
    .set({ finishedAt: now, outcome: "failed", error: "The process that ran it ended." })
    .where(and(eq(jobRuns.job, job), isNull(jobRuns.finishedAt), lte(jobRuns.leaseUntil, now)))
    .returning({ id: jobRuns.id });
  return lost.length;
}

export interface LastRun {
  readonly slot: Date;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly outcome: "done" | "failed" | null;
  readonly counts: Counts | null;
}

/** One index lookup per job, in one statement; `outcome` filters. */
export async function findLastRuns(
  on: Queryable,
  names: readonly string[],
  outcome?: "done" | "failed",
): Promise<Map<string, LastRun>> {
  const asked = sql<string>`asked.job`;
  const last = on
    .select({
      slot: jobRuns.slot,
      startedAt: jobRuns.startedAt,
      finishedAt: jobRuns.finishedAt,
      outcome: jobRuns.outcome,
      counts: jobRuns.counts,
    })
    .from(jobRuns)
    .where(and(eq(jobRuns.job, asked), outcome ? eq(jobRuns.outcome, outcome) : undefined))
    .orderBy(desc(jobRuns.slot))
    .limit(1)
    .as("last");
  const rows = await on
    .select({ job: asked, last: { ...last._.selectedFields } })
    .from(sql`unnest(${sql.param(names)}::text[]) as asked(job)`)
    .innerJoinLateral(last, sql`true`);
  return new Map(rows.map((row) => [row.job, row.last]));
}

/** Over a weekend, so that the last success of a failing job is still visible. */
const runsKept = 3 * daySeconds;

export const jobSweeps: readonly Sweep[] = [
  { table: jobRuns, column: jobRuns.slot, keep: runsKept },
];
