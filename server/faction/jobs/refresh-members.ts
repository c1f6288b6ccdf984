import { callsLeft } from "#server/game/budget";
import { isGameError } from "#server/game/game-error";
import { isOutage } from "#server/game/outage";
import type { Job } from "#server/jobs/job";
import { pickKey } from "#server/users/keys/pick-key";
import { listingLifetimeSeconds, refreshFactionMembers } from "../refresh-members";
import { listStaleFactions } from "../store";

/** A listing reads the faction and its members. */
const callsPerFaction = 2;

/** Lists the factions anew that have a member whose key works, the longest untried first. */
export const refreshMembers: Job = {
  name: "refresh-members",
  cadence: { everySeconds: 60 },
  budget: 60,
  run: async (ctx, { budget, signal }) => {
    const before = new Date(ctx.now().getTime() - listingLifetimeSeconds * 1_000);
    const stale = await listStaleFactions(ctx.database.query, before, Math.floor(budget / callsPerFaction));
    const counts = { factions: 0, members: 0, failed: 0, skipped: 0 };
    for (const factionId of stale) {
      if (signal.aborted) break;
      const key = await pickKey(ctx, { of: "members", factionId });
      if (!key || (await callsLeft(ctx.limiter, key.playerId, "high")) < callsPerFaction) {
        counts.skipped++;
        continue;
      }
      try {
        counts.members += await refreshFactionMembers(ctx, factionId, { key, priority: "high" });
        counts.factions++;
      } catch (error) {
        if (!isGameError(error) || isOutage(error.kind)) throw error;
        ctx.log.warn({ factionId, kind: error.kind }, "a faction could not be listed");
        counts.failed++;
      }
    }
    return counts;
  },
};
