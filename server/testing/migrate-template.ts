import type { Database } from "#db/client";
import { migrate } from "#db/migrate";
import { ensurePartitions } from "#db/partitions";
import { partitionedLogs } from "#server/sweeper/list";
import { testStart } from "./movable-clock";

/** The template of every test file's database, with the first days' partitions. */
export async function migrateTemplate(database: Database): Promise<void> {
  await migrate(database);
  for (const log of partitionedLogs) {
    const { failures } = await ensurePartitions(database, log, testStart);
    if (failures.length > 0) throw failures[0];
  }
}
