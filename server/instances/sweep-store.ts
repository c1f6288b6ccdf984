import { ripeBy } from "#db/batches";
import { instances } from "#db/schema/operations";
import { before, type Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";

/** A process that was killed leaves its row behind. Nobody counts it after some seconds. */
const rowsKept = 3_600;

export const instanceSweeps: readonly Sweep[] = [
  sweepByIndex("instances", (moment) => ripeBy(instances, instances.lastSeen, before(moment, rowsKept))),
];
