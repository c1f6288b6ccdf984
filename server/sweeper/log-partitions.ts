import { ensurePartitions, nameOfLog } from "#db/partitions";
import type { Context } from "#server/context";
import type { Counts } from "#server/jobs/job";
import { describeError } from "#server/platform/describe-error";
import { partitionedLogs } from "./list";

/**
 * Makes the partitions of the logs that will be needed next. What cannot be made is logged and tried again by the next run:
 * there are others ahead, and a default one. @returns how many were made
 */
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
      log.warn({ table: nameOfLog(partitioned), error: describeError(error) }, "a partition could not be made");
  }
  return total;
}

/** How well one of the logs is looked after. */
export interface LogState {
  readonly table: string;
  readonly aheadSeconds: number;
  readonly strays: number;
}

/** What a run of `keep-partitions` counted, by log; nothing before the first. */
export const logStatesIn = (counts: Counts | null): LogState[] =>
  partitionedLogs.flatMap((partitioned) => {
    const table = nameOfLog(partitioned);
    const [aheadSeconds, strays] = [counts?.[`ahead.${table}`], counts?.[`strays.${table}`]];
    return aheadSeconds === undefined || strays === undefined ? [] : [{ table, aheadSeconds, strays }];
  });
