import { and, asc, eq, gt, ne } from "drizzle-orm";
import { expiredBy } from "#db/batches";
import type { Queryable } from "#db/client";
import { instances } from "#db/schema/operations";
import { before, type Sweep, sweepByIndex } from "#db/sweep";
import { hourSeconds } from "#server/platform/durations";

/** A process that serves this database. */
export interface Instance {
  readonly id: string;
  readonly startedAt: Date;
  readonly lastSeen: Date;
  readonly sharedLimits: boolean;
}

/** Says that the process lives. */
export async function putInstance(on: Queryable, instance: Instance): Promise<void> {
  const { lastSeen, sharedLimits } = instance;
  await on
    .insert(instances)
    .values(instance)
    .onConflictDoUpdate({ target: instances.id, set: { lastSeen, sharedLimits } });
}

/** The processes besides this one that were seen after `since`. */
export const listOtherInstances = (on: Queryable, id: string, since: Date): Promise<Instance[]> =>
  on
    .select()
    .from(instances)
    .where(and(ne(instances.id, id), gt(instances.lastSeen, since)));

/** All processes that were seen after `since`, the oldest first. */
export const listInstances = (on: Queryable, since: Date): Promise<Instance[]> =>
  on.select().from(instances).where(gt(instances.lastSeen, since)).orderBy(asc(instances.startedAt));

export async function deleteInstance(on: Queryable, id: string): Promise<void> {
  await on.delete(instances).where(eq(instances.id, id));
}

/** A process that was killed leaves its row behind. Nobody counts it after some seconds. */
const rowsKept = hourSeconds;

export const instanceSweeps: readonly Sweep[] = [
  sweepByIndex("instances", (moment) => expiredBy(instances, instances.lastSeen, before(moment, rowsKept))),
];
