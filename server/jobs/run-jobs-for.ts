import { setTimeout as wait } from "node:timers/promises";
import { type Context, inBackground } from "#server/context";
import { secondMs } from "#server/platform/durations";
import { followServerSecret } from "#server/server-secret/follow-server-secret";
import { createDeliverer } from "#server/webhooks/deliverer";
import { startJobs } from "./runner";

/** Milliseconds that jobs and deliveries get to finish what they began. */
const grace = 8 * secondMs;

/** Is a worker for so many milliseconds: runs the jobs that are due, numbers events, sends webhooks, and ends in order. */
export async function runJobsFor(ctx: Context, milliseconds: number): Promise<void> {
  const runner = startJobs(ctx);
  const deliverer = createDeliverer(ctx);
  // What processes left behind that were stopped after a commit.
  const numbering = setInterval(ctx.sequencer.wake, secondMs);
  try {
    await deliverer.start();
    await followServerSecret(inBackground(ctx));
    await wait(milliseconds);
  } finally {
    clearInterval(numbering);
    await Promise.all([runner.stop(grace), deliverer.stop(grace)]);
    await ctx.settled();
  }
}
