import { and, asc, eq, gt, gte, inArray, min, ne, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client";
import { auditLog, instances, jobRuns, trafficHours } from "#db/schema/operations";
import { first } from "#db/select";
import type { Sweep } from "#db/sweep";
import { hourSeconds } from "#server/platform/time";

/** Used share, 0 … 1. */
export async function readNotifyQueueUsage(on: Queryable): Promise<number> {
  const used = sql`pg_notification_queue_usage()`.mapWith(Number);
  return (await first(on.select({ used }).from(sql`(select) as one`)))?.used ?? 0;
}

export type Instance = typeof instances.$inferSelect;

export async function putInstance(on: Queryable, instance: Instance): Promise<void> {
  const { lastSeen, sharedLimits } = instance;
  await on
    .insert(instances)
    .values(instance)
    .onConflictDoUpdate({ target: instances.id, set: { lastSeen, sharedLimits } });
}

export const listOtherInstances = (on: Queryable, id: string, since: Date): Promise<Instance[]> =>
  on
    .select()
    .from(instances)
    .where(and(ne(instances.id, id), gt(instances.lastSeen, since)));

export const listInstances = (on: Queryable, since: Date): Promise<Instance[]> =>
  on
    .select()
    .from(instances)
    .where(gt(instances.lastSeen, since))
    .orderBy(asc(instances.startedAt));

export async function deleteInstance(on: Queryable, id: string): Promise<void> {
  await on.delete(instances).where(eq(instances.id, id));
}

/** A killed process leaves its row, which is ignored after some seconds. */
const instancesKeptSeconds = hourSeconds;

export const instanceSweeps: readonly Sweep[] = [
  { table: instances, column: instances.lastSeen, keep: instancesKeptSeconds },
];

const hourOf = (instant: PgColumn) => sql<Date>`date_trunc('hour', ${instant}, 'UTC')`;

export const countCallsByHour = (on: Queryable, from: Date) => {
  const sum = (...at: readonly number[]) =>
    sql`sum(${sql.join(
      at.map((index) => sql`(counts.value->>${sql.raw(String(index))})::int`),
      sql` + `,
    )})`.mapWith(Number);
  return on
    .select({ at: trafficHours.hour, calls: sum(0), refused: sum(1, 2), errors: sum(3) })
    .from(trafficHours)
    .crossJoinLateral(sql`jsonb_each(${trafficHours.endpoints}) as counts`)
    .where(gte(trafficHours.hour, from))
    .groupBy(trafficHours.hour);
};

export const countLatenciesByHour = (on: Queryable, from: Date) =>
  on
    .select({
      at: trafficHours.hour,
      power: sql`counts.key::int`.mapWith(Number),
      calls: sql`sum(counts.value::int)`.mapWith(Number),
    })
    .from(trafficHours)
    .crossJoinLateral(sql`jsonb_each_text(${trafficHours.latency}) as counts`)
    .where(gte(trafficHours.hour, from))
    .groupBy(trafficHours.hour, sql`counts.key`);

export const countSignInsByHour = (on: Queryable, from: Date) =>
  on
    .select({
      at: hourOf(auditLog.at).mapWith(auditLog.at),
      done: sql`count(*) filter (where ${eq(auditLog.act, "session.opened")})`.mapWith(Number),
      failed: sql`count(*) filter (where ${eq(auditLog.act, "session.refused")})`.mapWith(Number),
    })
    .from(auditLog)
    .where(
      and(inArray(auditLog.act, ["session.opened", "session.refused"]), gte(auditLog.at, from)),
    )
    .groupBy(sql`1`);

/** `delay`: mean milliseconds; for a slot before the first run, counted from that run. */
export const countJobRunsByHour = (on: Queryable, from: Date) => {
  const firstRun = on.select({ at: min(jobRuns.startedAt) }).from(jobRuns);
  const due = sql`greatest(${jobRuns.slot}, ${firstRun})`;
  return on
    .select({
      at: hourOf(jobRuns.slot).mapWith(jobRuns.slot),
      runs: sql`count(*)`.mapWith(Number),
      failed: sql`count(*) filter (where ${eq(jobRuns.outcome, "failed")})`.mapWith(Number),
      delay: sql`avg(extract(epoch from ${jobRuns.startedAt} - ${due}) * 1000)`.mapWith(Number),
    })
    .from(jobRuns)
    .where(gte(jobRuns.slot, from))
    .groupBy(sql`1`);
};
