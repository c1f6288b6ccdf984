import { and, desc, eq, inArray, isNotNull, isNull, lt, not, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { jobRuns } from "#db/schema/operations";
import { columnsOf } from "#db/select";
import type { Sweep } from "#db/sweep";
import { daySeconds, minuteMs } from "#server/platform/time";
import { claimRows, finishClaims, isLeased, type WorkTable } from "#server/work/leases";

/** Made of job and slot, so that only one instance can insert a run. */
export const runId = (job: string, slot: Date): string => `${job}:${slot.toISOString()}`;

export type JobRun = typeof jobRuns.$inferSelect;

export const jobWorkTable: WorkTable<JobRun> = { table: jobRuns, id: jobRuns.id };

/** A job must not overlap with itself: another instance may still run an earlier slot. */
const isIdle = (job: SQL): SQL => sql`not exists (
  select 1 from ${jobRuns} running where running.job = ${job}
  and running.finished_at is null and ${isLeased(sql`running.lease_until`)})`;

export interface DueSlot {
  readonly job: string;
  readonly slot: Date;
}

export async function claimSlots(
  on: Queryable,
  due: readonly DueSlot[],
  now: Date,
): Promise<{ claimed: JobRun[]; over: ReadonlySet<string> }> {
  if (due.length === 0) return { claimed: [], over: new Set() };
  const ids = due.map(({ job, slot }) => runId(job, slot));
  const rows = JSON.stringify(due.map(({ job, slot }, at) => ({ id: ids[at], job, slot })));
  await on.execute(sql`
    insert into ${jobRuns} (id, job, slot, started_at)
    select due.id, due.job, due.slot, ${now.toISOString()}::timestamptz
    from json_to_recordset(${rows}::json) as due (id text, job text, slot timestamptz)
    where ${isIdle(sql`due.job`)} on conflict do nothing`);
  const chosen = sql`select id from ${jobRuns} where ${inArray(jobRuns.id, ids)}
    and ${jobRuns.finishedAt} is null and ${isIdle(sql`${jobRuns.job}`)} for update skip locked`;
  const claimed = await claimRows(on, jobWorkTable, chosen);
  if (claimed.length === due.length) return { claimed, over: new Set() };
  const over = await on
    .select({ id: jobRuns.id })
    .from(jobRuns)
    .where(and(inArray(jobRuns.id, ids), isNotNull(jobRuns.finishedAt)));
  return { claimed, over: new Set(over.map(({ id }) => id)) };
}

export type Ending = Pick<JobRun, "finishedAt" | "outcome"> &
  Partial<Pick<JobRun, "counts" | "error">>;

/** Idle runs are kept this long, so that an instance with a slow clock finds its slot done. */
const idleRunsKept = 10 * minuteMs;
/** Each closed run makes about one earlier run old enough to remove. */
const idleRunsAtOnce = 4;

/** Success also removes earlier runs that counted nothing, as most runs do. */
export async function closeRun(
  on: Queryable,
  run: JobRun,
  { finishedAt, outcome, counts = null, error = null }: Ending,
): Promise<void> {
  const closed = await finishClaims(on, jobWorkTable, [run], {
    finishedAt,
    outcome,
    counts,
    error,
  });
  if (!closed.has(run.id) || outcome !== "done") return;
  const old = on
    .select({ id: jobRuns.id })
    .from(jobRuns)
    .where(
      and(eq(jobRuns.job, run.job), lt(jobRuns.slot, new Date(run.slot.getTime() - idleRunsKept))),
    )
    .orderBy(desc(jobRuns.slot))
    .limit(idleRunsAtOnce);
  const countedNothing = sql`not exists (select 1 from jsonb_each_text(${jobRuns.counts}) where value <> '0')`;
  await on
    .delete(jobRuns)
    .where(and(inArray(jobRuns.id, old), eq(jobRuns.outcome, "done"), countedNothing));
}

/**
 * Ends the runs of crashed processes; a frozen process finds its lease taken over.
 * @returns how many
 */
export async function closeLostRuns(on: Queryable, job: string, now: Date): Promise<number> {
  const lost = await on
    .update(jobRuns)
    .set({
      finishedAt: now,
      outcome: "failed",
      error: "The process that ran it ended.",
      lease: sql`${jobRuns.lease} + 1`,
    })
    .where(and(eq(jobRuns.job, job), isNull(jobRuns.finishedAt), not(isLeased(jobRuns.leaseUntil))))
    .returning({ id: jobRuns.id });
  return lost.length;
}

export type LastRun = Pick<JobRun, "slot" | "startedAt" | "finishedAt" | "outcome" | "counts">;

/** One index lookup per job. */
export async function findLastRuns(
  on: Queryable,
  names: readonly string[],
  outcome?: "done" | "failed",
): Promise<Map<string, LastRun>> {
  const asked = sql<string>`asked.job`;
  const last = on
    .select(columnsOf(jobRuns, ["slot", "startedAt", "finishedAt", "outcome", "counts"]))
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

/** Three days, so that the last success of a job that fails over a weekend is visible. */
const runsKept = 3 * daySeconds;

export const jobSweeps: readonly Sweep[] = [
  { table: jobRuns, column: jobRuns.slot, keep: runsKept },
];
