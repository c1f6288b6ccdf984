import { and, asc, eq, gt, gte, lt, ne, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { instances, minuteFigures } from "#db/schema/operations";
import { before, expiredBy, type Sweep, sweepByIndex } from "#db/sweep";
import { daySeconds, hourSeconds, secondMs, startOfMinute } from "#server/platform/time";
import type { Totals } from "./metric-totals";

/** Adds what a process counted to the minute of an instant. In the order of their names, so that two processes cannot deadlock. */
export async function addFigures(on: Queryable, at: Date, counted: Totals): Promise<void> {
  const minute = startOfMinute(at);
  const rows = Object.entries(counted)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ minute, name, value }));
  if (rows.length === 0) return;
  await on
    .insert(minuteFigures)
    .values(rows)
    .onConflictDoUpdate({
      target: [minuteFigures.minute, minuteFigures.name],
      set: { value: sql`${minuteFigures.value} + excluded.value` },
    });
}

/** The sums of stretches of so many seconds, from one instant up to another, the earliest first; stretches without any are left out. */
export async function sumFigures(
  on: Queryable,
  { from, until, seconds }: { readonly from: Date; readonly until: Date; readonly seconds: number },
): Promise<{ at: Date; name: string; sum: number }[]> {
  const stretch = sql<number>`(floor(extract(epoch from ${minuteFigures.minute}) / ${seconds}::int) * ${seconds}::int)::float8`;
  const rows = await on
    .select({
      stretch,
      name: minuteFigures.name,
      sum: sql<number>`sum(${minuteFigures.value})::float8`,
    })
    .from(minuteFigures)
    .where(and(gte(minuteFigures.minute, from), lt(minuteFigures.minute, until)))
    .groupBy(sql`1`, minuteFigures.name)
    .orderBy(asc(sql`1`));
  return rows.map(({ stretch: at, name, sum }) => ({
    at: new Date(Number(at) * secondMs),
    name,
    sum: Number(sum),
  }));
}

const figuresKeptSeconds = 2 * daySeconds;

export const figureSweeps: readonly Sweep[] = [
  sweepByIndex("minute_figures", (moment) =>
    expiredBy(minuteFigures, minuteFigures.minute, before(moment, figuresKeptSeconds)),
  ),
];

/** The part of the NOTIFY queue that is in use, from 0 to 1. */
export async function readNotifyQueue(on: Queryable): Promise<number> {
  const [row] = await on
    .select({ used: sql`pg_notification_queue_usage()`.mapWith(Number) })
    .from(sql`(select) as one`);
  return row?.used ?? 0;
}

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
  on
    .select()
    .from(instances)
    .where(gt(instances.lastSeen, since))
    .orderBy(asc(instances.startedAt));

export async function deleteInstance(on: Queryable, id: string): Promise<void> {
  await on.delete(instances).where(eq(instances.id, id));
}

/** A process that was killed leaves its row behind. Nobody counts it after some seconds. */
const instancesKeptSeconds = hourSeconds;

export const instanceSweeps: readonly Sweep[] = [
  sweepByIndex("instances", (moment) =>
    expiredBy(instances, instances.lastSeen, before(moment, instancesKeptSeconds)),
  ),
];
