import type { Job } from "#server/jobs/job";
import { deliverDue } from "../deliver-due";

/** Brings to the chat what nobody delivered at once: retries, and what a process left that died. */
export const deliverChat: Job = {
  name: "deliver-chat",
  cadence: { everySeconds: 10 },
  budget: 0,
  run: (ctx, { signal }) => deliverDue(ctx, signal),
};
