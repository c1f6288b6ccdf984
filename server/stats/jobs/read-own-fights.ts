import { callsLeft } from "#server/game/budget";
import type { Counts, Job } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { pickKey } from "#server/users/keys/pick-key";
import { readFightsOf } from "../own-fights/read-fights-of";
import { listDueSharers } from "../own-fights/store";

/** A little less than the period, so that each run finds those of the last one due. */
const againAfterMs = 590_000;
const callsEach = 2;

/** Reads the fights of players who let them be read, where no member of their faction reads them for all. */
export const readOwnFights: Job = {
  name: "read-own-fights",
  cadence: { everySeconds: 600 },
  budget: 200,
  run: async (ctx, work) => {
    const triedBefore = new Date(ctx.now().getTime() - againAfterMs);
    return processBatch(ctx, work, {
      items: await listDueSharers(ctx.database.query, { triedBefore, limit: work.budget }),
      calls: () => callsEach,
      name: ({ playerId }) => ({ playerId }),
      triedAt: ({ lastAttempt }) => lastAttempt,
      each: async ({ playerId }): Promise<Counts> => {
        const key = await pickKey(ctx, { of: "player", playerId });
        if (!key || (await callsLeft(ctx, playerId, "background")) < callsEach) return { skipped: 1 };
        return { read: 1, ...(await readFightsOf(ctx, { key, calls: callsEach })) };
      },
    });
  },
};
