import type { Database } from "#db/client";
import { migrate } from "#db/migrate";
import { ensurePartitions } from "#db/partitions";
import { partitionedLogs } from "#server/sweeper/list";
import { testStart } from "./movable-clock";

/** Migrates the database that each test file gets a copy of, and makes what each would make anew: the partitions of its first days. */
export async function migrateTemplate(database: Database): Promise<void> {
  await migrate(database);
  for (const log of partitionedLogs) {
    const { failures } = await ensurePartitions(database, log, testStart);
    if (failures.length > 0) throw failures[0];
  }
}
