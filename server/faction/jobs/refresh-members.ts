import type { Job } from "#server/jobs/job";
import { refreshFactionMembers } from "../refresh-members";
import { readDueFactions } from "./read-due-factions";

/** Lists the factions anew that have a member whose key works, every five minutes. */
export const refreshMembers: Job = {
  name: "refresh-members",
  cadence: { everySeconds: 60 },
  budget: 60,
  run: (ctx, work) =>
    readDueFactions(ctx, work, {
      reading: "members",
      priority: "high",
      read: async (ctx, factionId, means) => ({ members: await refreshFactionMembers(ctx, factionId, means) }),
    }),
};
