import type { Job } from "#server/jobs/job";
import { readDueFactions } from "../../jobs/read-due-factions";
import { refreshPositions } from "../refresh-positions";

/** Reads the positions of factions with faction API access every hour, sooner where somebody holds one that is not known. */
export const readPositions: Job = {
  name: "read-positions",
  cadence: { everySeconds: 60 },
  budget: 60,
  run: (ctx, work) =>
    readDueFactions(ctx, work, {
      reading: "positions",
      priority: "high",
      read: async (ctx, factionId, means) => ({ positions: await refreshPositions(ctx, factionId, means) }),
    }),
};
