import type { Job } from "#server/jobs/job";
import { readDueFactions } from "../../jobs/read-due-factions";
import { refreshCrimes } from "../refresh-crimes";

/** Reads the organized crimes of factions with faction API access every five minutes, those with the old kind every hour. */
export const readCrimes: Job = {
  name: "read-crimes",
  cadence: { everySeconds: 60 },
  budget: 100,
  run: (ctx, work) =>
    readDueFactions(ctx, work, {
      reading: "crimes",
      priority: "background",
      read: (ctx, factionId, means, calls) => refreshCrimes(ctx, factionId, { ...means, calls }),
    }),
};
