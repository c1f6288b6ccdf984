import type { Job } from "#server/jobs/job";
import { readDueFactions } from "../../jobs/read-due-factions";
import { readAttacks } from "../read-attacks";

/** Reads the newest attacks of every faction that has a member with faction API access, linked to a chat server or not. */
export const readFactionAttacks: Job = {
  name: "read-faction-attacks",
  cadence: { everySeconds: 30 },
  budget: 250,
  run: (ctx, work) =>
    readDueFactions(ctx, work, {
      reading: "attacks",
      priority: "high",
      read: (ctx, factionId, means, calls) => readAttacks(ctx, factionId, { ...means, calls }),
    }),
};
