import type { Job } from "#server/jobs/job";
import { hourSeconds } from "#server/platform/durations";
import { eventsKept } from "../event-type";
import { dropPartitions, forgetEpochs, forgetPeriods, lockLogEnd } from "../store";

/** Drops the partitions of the log whose events nobody can read any more, and what consents covered before that. */
export const dropOldEvents: Job = {
  name: "drop-old-events",
  cadence: { everySeconds: hourSeconds },
  budget: 0,
  run: (ctx) =>
    ctx.database.background.transaction(async (tx) => {
      const before = new Date(ctx.now().getTime() - eventsKept);
      const periods = await forgetPeriods(tx, before);
      const end = await lockLogEnd(tx);
      const partitions = end ? await dropPartitions(tx, end, before) : 0;
      return { partitions, periods, epochs: await forgetEpochs(tx) };
    }),
};
