import type { Context } from "#server/context";
import { jobs } from "./list";
import { createRunner, type Runner } from "./runner";

/** Starts all jobs in this process. Other instances may do the same: each slot is run once. */
export function startJobs(ctx: Context): Runner {
  const runner = createRunner(ctx, jobs);
  runner.start();
  return runner;
}
