import { lte, sql } from "drizzle-orm";
import type { Ripe } from "#db/batches";
import { jobRuns } from "#db/schema/operations";
import { before, type Moment, type Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";

/** Over a weekend it is still seen when a job that fails now last worked; jobs that run each few seconds leave many rows. */
const runsKept = 3 * 86_400;

/** The index leads with the job, so its few names are stepped through, and each one's oldest runs are found at once. */
function oldRuns(moment: Moment): Ripe {
  const where = lte(jobRuns.slot, before(moment, runsKept));
  return {
    table: jobRuns,
    where,
    first: jobRuns.slot,
    from: ({ limit }) => sql`(
      with recursive names as (
        (select job from ${jobRuns} order by job limit 1)
        union all
        select (select next.job from ${jobRuns} as next where next.job > names.job order by next.job limit 1)
        from names where names.job is not null
      )
      select old.ctid from names cross join lateral (
        select ctid from ${jobRuns} where job = names.job and ${where} order by slot limit ${limit}
      ) as old limit ${limit}
    ) as old_runs`,
  };
}

export const jobSweeps: readonly Sweep[] = [sweepByIndex("job_runs", oldRuns)];
