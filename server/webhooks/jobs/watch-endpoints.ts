import type { Job } from "#server/jobs/job";
import { minuteSeconds } from "#server/platform/durations";
import { watchEndpoints } from "../watch-endpoints";

/** Tells developers of endpoints that fail, and switches off those that failed for too long. */
export const watchWebhooks: Job = {
  name: "watch-webhooks",
  cadence: { everySeconds: minuteSeconds },
  budget: 0,
  run: (ctx) => watchEndpoints(ctx),
};
