import { oldestBy } from "#db/batches";
import { auditLog } from "#db/schema/operations";
import { before, type Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";

const eventsKept = 90 * 86_400;

/** Nobody changes the audit log; only age removes from it. */
export const auditSweeps: readonly Sweep[] = [
  sweepByIndex("audit_log", (moment) => oldestBy(auditLog, auditLog, before(moment, eventsKept))),
];
