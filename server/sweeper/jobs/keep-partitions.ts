import { buildLateIndexes, dropOldPartitions, findUnindexed, nameOfLog, partitionState } from "#db/partitions";
import type { Job } from "#server/jobs/job";
import { minuteSeconds } from "#server/platform/durations";
import { partitionedLogs } from "../list";
import { ensureLogPartitions } from "../log-partitions";

/** One process at a time builds indexes; any constant does. */
const indexLock = 7_300_111;

/** Makes the partitions of the next days, indexes what is not written to any more, and drops what is over. */
export const keepPartitions: Job = {
  name: "keep-partitions",
  cadence: { everySeconds: 10 * minuteSeconds },
  budget: 0,
  run: async (ctx, { signal }) => {
    const { background, exclusively } = ctx.database;
    const counts: Record<string, number> = { made: await ensureLogPartitions(ctx), indexed: 0, dropped: 0 };
    const count = (name: string, by: number) => {
      counts[name] = (counts[name] ?? 0) + by;
    };
    for (const log of partitionedLogs) {
      const { aheadSeconds, strays } = await partitionState(background.query, log, ctx.now());
      count(`ahead.${nameOfLog(log)}`, aheadSeconds);
      count(`strays.${nameOfLog(log)}`, strays);
      for (const partition of await findUnindexed(background.query, log, ctx.now())) {
        if (signal.aborted) break;
        // That of a day with very many calls takes longer than a job's statement may.
        await exclusively(indexLock, (held) => buildLateIndexes(held, log, partition));
        count("indexed", 1);
      }
    }
    // Somebody's long transaction may hold a drop up, and then this run ends here.
    for (const log of partitionedLogs) count("dropped", await dropOldPartitions(background, log, ctx.now()));
    return counts;
  },
};
