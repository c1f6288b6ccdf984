import { oldestBy, ripeBy } from "#db/batches";
import { idempotencyRecords, requestLog } from "#db/schema/operations";
import { before, type Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";

/** How long the first answer to an Idempotency-Key is repeated. */
export const idempotencySeconds = 24 * 3_600;
const linesKept = 30 * 86_400;

/** What the kernel of the API keeps for a while. */
export const restSweeps: readonly Sweep[] = [
  sweepByIndex("idempotency_records", (moment) =>
    ripeBy(idempotencyRecords, idempotencyRecords.createdAt, before(moment, idempotencySeconds)),
  ),
  sweepByIndex("request_log", (moment) => oldestBy(requestLog, requestLog, before(moment, linesKept))),
];
