import type { Job } from "#server/jobs/job";
import { endByItself } from "../end-by-itself";

/** Cancels requests whose time is over, within five seconds. It asks the game nothing, and finds nothing by index. */
export const endVaultRequests: Job = {
  name: "end-vault-requests",
  cadence: { everySeconds: 3 },
  budget: 0,
  run: (ctx, { signal }) => endByItself(ctx, signal),
};
