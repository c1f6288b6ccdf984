import type { Job } from "#server/jobs/job";
import { verifyWaiting } from "../verification/verify-waiting";

/** Looks every minute whether what bankers marked as paid stands in the vault's news. */
export const verifyPayments: Job = {
  name: "verify-payments",
  cadence: { everySeconds: 60 },
  budget: 30,
  run: verifyWaiting,
};
