import type { Counts, Job } from "#server/jobs/job";
import { runSweeps } from "../run-sweeps";

/** Milliseconds of a minute: what an outage left behind is removed little by little. */
const longestRun = 20_000;
/** A backlog beyond it is told as this number. */
const countedAtMost = 10_000;

/** Deletes what nobody needs any more: see each domain's sweep-store. */
export const sweepExpired: Job = {
  name: "sweep-expired",
  cadence: { everySeconds: 60 },
  budget: 0,
  run: async (ctx, { signal }): Promise<Counts> => {
    const { tasks, batches, longest } = await runSweeps(ctx, { milliseconds: longestRun, signal });
    const counts: Record<string, number> = {
      batches,
      longestBatchMilliseconds: Math.round(longest),
      removed: 0,
      due: 0,
    };
    for (const { name, removed, done, countDue } of tasks) {
      if (removed > 0) counts[`removed.${name}`] = removed;
      counts.removed = (counts.removed ?? 0) + removed;
      const due = done ? 0 : await countDue(countedAtMost);
      if (due > 0) counts[`due.${name}`] = due;
      counts.due = (counts.due ?? 0) + due;
    }
    return counts;
  },
};
