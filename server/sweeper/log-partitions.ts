import {
  buildLateIndex,
  dropOldPartitions,
  ensurePartitions,
  listUnindexedPartitions,
  nameOfLog,
  readPartitionState,
} from "#db/partitions";
import type { Context } from "#server/context";
import type { Counts, Job } from "#server/jobs/job";
import { serializeError } from "#server/platform/errors";
import { minuteSeconds } from "#server/platform/time";
import { partitionedLogs } from "./list";

/** Key of an advisory lock; any constant works. */
const indexLock = 7_300_111;

export const keepPartitionsJob: Job = {
  name: "keep-partitions",
  cadence: { everySeconds: 10 * minuteSeconds },
  budget: 0,
  run: async (ctx, { signal }) => {
    const { background, exclusively } = ctx.database;
    const counts: Record<string, number> = {
      made: await ensureLogPartitions(ctx),
      indexed: 0,
      dropped: 0,
    };
    const count = (name: string, by: number) => {
      counts[name] = (counts[name] ?? 0) + by;
    };
    for (const log of partitionedLogs) {
      const { aheadSeconds, strays } = await readPartitionState(background.query, log, ctx.now());
      count(`ahead.${nameOfLog(log)}`, aheadSeconds);
      count(`strays.${nameOfLog(log)}`, strays);
      for (const partition of await listUnindexedPartitions(background.query, log, ctx.now())) {
        if (signal.aborted) break;
        // Building an index can exceed a job's statement timeout.
        await exclusively(indexLock, (held) => buildLateIndex(held, log, partition));
        count("indexed", 1);
      }
    }
    // Partitions are dropped last, because a long transaction may block a drop.
    for (const log of partitionedLogs)
      count("dropped", await dropOldPartitions(background, log, ctx.now()));
    return counts;
  },
};

/** The next run retries failures. @returns the number of new partitions */
export async function ensureLogPartitions({
  database,
  log,
  now,
}: Pick<Context, "database" | "log" | "now">): Promise<number> {
  let total = 0;
  for (const partitioned of partitionedLogs) {
    const { made, failures } = await ensurePartitions(database.background, partitioned, now());
    total += made;
    for (const error of failures)
      log.warn(
        { table: nameOfLog(partitioned), error: serializeError(error) },
        "a partition could not be made",
      );
  }
  return total;
}

interface LogState {
  readonly table: string;
  readonly aheadSeconds: number;
  readonly strays: number;
}

/** `counts` come from a run of `keep-partitions`; null before the first run. */
export const logStatesOf = (counts: Counts | null): LogState[] =>
  partitionedLogs.flatMap((partitioned) => {
    const table = nameOfLog(partitioned);
    const [aheadSeconds, strays] = [counts?.[`ahead.${table}`], counts?.[`strays.${table}`]];
    return aheadSeconds === undefined || strays === undefined
      ? []
      : [{ table, aheadSeconds, strays }];
  });
