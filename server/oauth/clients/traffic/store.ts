import { and, asc, count, eq, gte, isNotNull, lt, sql } from "drizzle-orm";
import { findAppState } from "#db/app-state";
import { expiredBy } from "#db/batches";
import type { Queryable } from "#db/client";
import { type EndpointCounts, requestLog, trafficHours } from "#db/schema/operations";
import { before, type Sweep, sweepByIndex } from "#db/sweep";
import { daySeconds, hourMs, hourSeconds } from "#server/platform/durations";
import { type HourOfTraffic, latencyBase } from "./traffic";

/** A part of the request log: of one application, or of all. */
interface Part {
  readonly clientId?: string;
  readonly from: Date;
  readonly until: Date;
}

/** Hours since 1970. */
const hour = sql<number>`floor(extract(epoch from ${requestLog.at}) / ${sql.raw(String(hourSeconds))})::int`;
const minute = sql`date_trunc('minute', ${requestLog.at})`;
const power = sql<number>`floor(ln(greatest(${requestLog.micros}, 1)) / ln(${sql.raw(String(latencyBase))}))::int`;
const having = (status: string) => sql`count(*) filter (where ${sql.raw(status)})`.mapWith(Number);

const within = ({ clientId, from, until }: Part) =>
  and(
    gte(requestLog.at, from),
    lt(requestLog.at, until),
    clientId === undefined ? isNotNull(requestLog.clientId) : eq(requestLog.clientId, clientId),
  );

/** Counts the calls of a part of the log by application and hour. @returns by client id */
export async function countHours(on: Queryable, part: Part): Promise<ReadonlyMap<string, readonly HourOfTraffic[]>> {
  const { clientId, method, route, accountId } = requestLog;
  const endpoints = await on
    .select({
      ...{ clientId, hour, method, route, calls: count() },
      clientErrors: having("status between 400 and 499 and status <> 429"),
      limited: having("status = 429"),
      serverErrors: having("status >= 500"),
    })
    .from(requestLog)
    .where(within(part))
    .groupBy(clientId, hour, method, route);
  if (endpoints.length === 0) return new Map();
  const latencies = await on
    .select({ clientId, hour, power, calls: count() })
    .from(requestLog)
    .where(within(part))
    .groupBy(clientId, hour, power);
  const minutes = on
    .select({ clientId, hour: hour.as("hour"), calls: count().as("calls") })
    .from(requestLog)
    .where(and(within(part), isNotNull(accountId)))
    .groupBy(clientId, hour, accountId, minute)
    .as("minutes");
  const busiest = await on
    .select({ clientId: minutes.clientId, hour: minutes.hour, calls: sql`max(${minutes.calls})`.mapWith(Number) })
    .from(minutes)
    .groupBy(minutes.clientId, minutes.hour);

  const hours = new Map<string, MutableHour>();
  const at = (row: { clientId: string | null; hour: number }) => {
    const key = `${row.clientId} ${row.hour}`;
    const known = hours.get(key) ?? { ...row, endpoints: {}, latency: {}, busiestMinute: 0 };
    hours.set(key, known);
    return known;
  };
  for (const { method: verb, route: path, calls, clientErrors, limited, serverErrors, ...row } of endpoints)
    at(row).endpoints[`${verb} ${path}`] = [calls, clientErrors, limited, serverErrors];
  for (const row of latencies) at(row).latency[String(row.power)] = row.calls;
  for (const row of busiest) at(row).busiestMinute = row.calls;
  return byClient([...hours.values()]);
}

interface MutableHour {
  readonly clientId: string | null;
  readonly hour: number;
  readonly endpoints: Record<string, EndpointCounts>;
  readonly latency: Record<string, number>;
  busiestMinute: number;
}

function byClient(hours: readonly MutableHour[]): Map<string, HourOfTraffic[]> {
  const clients = new Map<string, HourOfTraffic[]>();
  for (const { clientId, hour: number, endpoints, latency, busiestMinute } of hours) {
    const ofClient = clients.get(clientId ?? "") ?? [];
    ofClient.push({ hour: new Date(number * hourMs), endpoints, latency, busiestMinute });
    clients.set(clientId ?? "", ofClient);
  }
  return clients;
}

/** The name under which stands until when hours are stored. */
export const countedUntil = "traffic-counted-until";

/** The hours before this moment are stored; undefined where none is. */
export async function hoursCountedUntil(on: Queryable): Promise<Date | undefined> {
  const state = await findAppState(on, countedUntil);
  return state === undefined ? undefined : new Date(state);
}

/** Stores hours that are over. Once more the same changes nothing. */
export async function insertHours(
  tx: Queryable,
  hours: readonly (HourOfTraffic & { readonly clientId: string })[],
): Promise<void> {
  if (hours.length > 0)
    await tx
      .insert(trafficHours)
      .values([...hours])
      .onConflictDoNothing();
}

/** The stored hours of an application. */
export const listHours = (
  on: Queryable,
  { clientId, from, until }: { readonly clientId: string; readonly from: Date; readonly until: Date },
): Promise<HourOfTraffic[]> =>
  on
    .select({
      hour: trafficHours.hour,
      endpoints: trafficHours.endpoints,
      latency: trafficHours.latency,
      busiestMinute: trafficHours.busiestMinute,
    })
    .from(trafficHours)
    .where(and(eq(trafficHours.clientId, clientId), gte(trafficHours.hour, from), lt(trafficHours.hour, until)))
    .orderBy(asc(trafficHours.hour));

/** As long as the request log, of which they are counts. */
const rowsKept = 31 * daySeconds;

export const trafficSweeps: readonly Sweep[] = [
  sweepByIndex("traffic_hours", (moment) => expiredBy(trafficHours, trafficHours.hour, before(moment, rowsKept))),
];
