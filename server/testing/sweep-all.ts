import type { Context } from "#server/context";
import type { Counts } from "#server/jobs/job";
import { sweepExpiredJob } from "#server/sweeper/run-sweeps";

const mostRuns = 50;

/** Runs until nothing is left. @returns the counts of each run */
export async function sweepAll(ctx: Context): Promise<Counts[]> {
  const runs: Counts[] = [];
  while (runs.length < mostRuns) {
    const counts = await sweepExpiredJob.run(ctx, {
      budget: 0,
      signal: new AbortController().signal,
    });
    runs.push(counts);
    if (counts.removed === 0 && counts.due === 0) return runs;
  }
  throw new Error(`The sweeper found no end: ${JSON.stringify(runs.at(-1))}`);
}
