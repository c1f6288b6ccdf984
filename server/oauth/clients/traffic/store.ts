import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  max,
  sql,
} from "drizzle-orm";
import { findAppState } from "#db/app-state";
import type { Queryable } from "#db/client";
import { applications, consents } from "#db/schema/oauth";
import { auditLog, type EndpointCounts, requestLog, trafficHours } from "#db/schema/operations";
import type { Sweep } from "#db/sweep";
import { daySeconds, hourMs, minuteMs, secondMs } from "#server/platform/time";
import type { SucceededAct } from "../calls/log-entries";
import { hasFailed, usedRight } from "../calls/store";
import { type Funnel, type HourOfTraffic, latencyBase, type TrafficRange } from "./traffic";

interface Part {
  readonly clientIds?: readonly string[];
  readonly from: Date;
  readonly until: Date;
}

const minute = sql`date_trunc('minute', ${requestLog.at})`;
const power = sql<number>`floor(ln(greatest(${requestLog.micros}, 1)) / ln(${sql.raw(String(latencyBase))}))::int`;
const having = (status: string) => sql`count(*) filter (where ${sql.raw(status)})`.mapWith(Number);

const isIn = ({ clientIds, from, until }: Part) =>
  and(
    gte(requestLog.at, from),
    lt(requestLog.at, until),
    clientIds ? inArray(requestLog.clientId, [...clientIds]) : isNotNull(requestLog.clientId),
  );

export async function countHours(
  on: Queryable,
  part: Part,
  slotMs = hourMs,
): Promise<ReadonlyMap<string, readonly HourOfTraffic[]>> {
  const { clientId, method, route, accountId } = requestLog;
  /** Slots since 1970. */
  const hour = sql<number>`floor(extract(epoch from ${requestLog.at}) / ${sql.raw(String(slotMs / secondMs))})::int`;
  const endpoints = await on
    .select({
      ...{ clientId, hour, method, route, calls: count() },
      clientErrors: having("status between 400 and 499 and status <> 429"),
      limited: having("status = 429"),
      serverErrors: having("status >= 500"),
    })
    .from(requestLog)
    .where(isIn(part))
    .groupBy(clientId, hour, method, route);
  if (endpoints.length === 0) return new Map();
  const latencies = await on
    .select({ clientId, hour, power, calls: count() })
    .from(requestLog)
    .where(isIn(part))
    .groupBy(clientId, hour, power);
  const minutes = on
    .select({ clientId, hour: hour.as("hour"), calls: count().as("calls") })
    .from(requestLog)
    .where(and(isIn(part), isNotNull(accountId)))
    .groupBy(clientId, hour, accountId, minute)
    .as("minutes");
  const busiest = await on
    .select({
      clientId: minutes.clientId,
      hour: minutes.hour,
      calls: sql`max(${minutes.calls})`.mapWith(Number),
    })
    .from(minutes)
    .groupBy(minutes.clientId, minutes.hour);

  const hours = new Map<string, MutableHour>();
  const at = (row: { clientId: string | null; hour: number }) => {
    const key = `${row.clientId} ${row.hour}`;
    const known = hours.get(key) ?? { ...row, endpoints: {}, latency: {}, busiestMinute: 0 };
    hours.set(key, known);
    return known;
  };
  for (const {
    method: verb,
    route: path,
    calls,
    clientErrors,
    limited,
    serverErrors,
    ...row
  } of endpoints)
    at(row).endpoints[`${verb} ${path}`] = [calls, clientErrors, limited, serverErrors];
  for (const row of latencies) at(row).latency[String(row.power)] = row.calls;
  for (const row of busiest) at(row).busiestMinute = row.calls;
  return byClient([...hours.values()], slotMs);
}

interface MutableHour {
  readonly clientId: string | null;
  readonly hour: number;
  readonly endpoints: Record<string, EndpointCounts>;
  readonly latency: Record<string, number>;
  busiestMinute: number;
}

function byClient(hours: readonly MutableHour[], slotMs: number): Map<string, HourOfTraffic[]> {
  const clients = new Map<string, HourOfTraffic[]>();
  for (const { clientId, hour: number, endpoints, latency, busiestMinute } of hours) {
    const ofClient = clients.get(clientId ?? "") ?? [];
    ofClient.push({ hour: new Date(number * slotMs), endpoints, latency, busiestMinute });
    clients.set(clientId ?? "", ofClient);
  }
  return clients;
}

export const countedUntil = "traffic-counted-until";

async function hoursCountedUntil(on: Queryable): Promise<Date | undefined> {
  const state = await findAppState(on, countedUntil);
  return state === undefined ? undefined : new Date(state);
}

/** Idempotent. */
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

/** On consents, because the log forgets after 30 days. */
export async function noteLastUse(tx: Queryable, part: Part): Promise<void> {
  const used = tx
    .select({
      accountId: requestLog.accountId,
      clientId: requestLog.clientId,
      last: max(requestLog.at).as("last"),
    })
    .from(requestLog)
    .where(and(isIn(part), isNotNull(requestLog.accountId), usedRight))
    .groupBy(requestLog.accountId, requestLog.clientId)
    .as("used");
  await tx
    .update(consents)
    .set({ lastUsedAt: sql`${used.last}` })
    .from(used)
    .where(
      and(
        eq(consents.accountId, used.accountId),
        eq(consents.clientId, used.clientId),
        isNull(consents.revokedAt),
      ),
    );
}

/** Of minutes for a range of an hour, which the log alone has. */
export async function readHours(
  on: Queryable,
  {
    clientIds,
    from: start,
    range,
  }: { readonly clientIds: readonly string[]; readonly from: Date; readonly range: TrafficRange },
  now: Date,
): Promise<ReadonlyMap<string, readonly HourOfTraffic[]>> {
  const until = new Date(now.getTime() + minuteMs);
  if (range === "1h") return countHours(on, { clientIds, from: start, until }, minuteMs);
  const counted = (await hoursCountedUntil(on)) ?? start;
  const from = counted > start ? counted : start;
  const [stored, since] = await Promise.all([
    listStoredHours(on, { clientIds, from: start, until: from < until ? from : until }),
    countHours(on, { clientIds, from, until }),
  ]);
  const hours = new Map<string, HourOfTraffic[]>();
  for (const { clientId, ...hour } of stored)
    hours.set(clientId, [...(hours.get(clientId) ?? []), hour]);
  for (const [clientId, ofClient] of since)
    hours.set(clientId, [...(hours.get(clientId) ?? []), ...ofClient]);
  return hours;
}

const listStoredHours = (
  on: Queryable,
  { clientIds, from, until }: Required<Part>,
): Promise<(HourOfTraffic & { readonly clientId: string })[]> =>
  on
    .select({
      clientId: trafficHours.clientId,
      hour: trafficHours.hour,
      endpoints: trafficHours.endpoints,
      latency: trafficHours.latency,
      busiestMinute: trafficHours.busiestMinute,
    })
    .from(trafficHours)
    .where(
      and(
        inArray(trafficHours.clientId, [...clientIds]),
        gte(trafficHours.hour, from),
        lt(trafficHours.hour, until),
      ),
    )
    .orderBy(asc(trafficHours.hour));

const did = (act: string) => sql<boolean>`bool_or(${auditLog.act} = ${act})`;

export async function countFunnel(on: Queryable, clientId: string, since: Date): Promise<Funnel> {
  const callers = on
    .select({ accountId: requestLog.accountId })
    .from(requestLog)
    .where(
      and(
        eq(requestLog.clientId, clientId),
        gte(requestLog.at, since),
        isNotNull(requestLog.accountId),
      ),
    );
  const players = on
    .select({
      shown: did("consent.shown").as("shown"),
      approved: did("consent.approved").as("approved"),
      exchanged: did("token.issued").as("exchanged"),
      called: sql<boolean>`${auditLog.accountId} in ${callers}`.as("called"),
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.clientId, clientId),
        gte(auditLog.at, since),
        inArray(auditLog.act, ["consent.shown", "consent.approved", "token.issued"]),
        isNotNull(auditLog.accountId),
      ),
    )
    .groupBy(auditLog.accountId)
    .as("players");
  const cameTo = (step: ReturnType<typeof sql>) =>
    sql`count(*) filter (where ${step})`.mapWith(Number);
  const exchanged = sql`${players.approved} and ${players.exchanged}`;
  const [row] = await on
    .select({
      shown: count(),
      approved: cameTo(sql`${players.approved}`),
      exchanged: cameTo(exchanged),
      called: cameTo(sql`${exchanged} and ${players.called}`),
    })
    .from(players)
    .where(sql`${players.shown}`);
  return row ?? { shown: 0, approved: 0, exchanged: 0, called: 0 };
}

/** What an application has done since it was registered; the log keeps 30 days. */
export interface FirstRun {
  readonly code: boolean;
  readonly token: boolean;
  readonly call: boolean;
}

export async function findFirstRun(on: Queryable, clientId: string): Promise<FirstRun> {
  const acted = (act: SucceededAct) =>
    on
      .select({ one: sql`1` })
      .from(auditLog)
      .where(and(eq(auditLog.clientId, clientId), eq(auditLog.act, act)))
      .limit(1);
  const calls = on
    .select({ one: sql`1` })
    .from(requestLog)
    .where(eq(requestLog.clientId, clientId))
    .limit(1);
  const [code, token, call] = await Promise.all([
    acted("code.issued"),
    acted("token.issued"),
    calls,
  ]);
  return { code: code.length > 0, token: token.length > 0, call: call.length > 0 };
}

export interface Outcomes {
  readonly calls: number;
  readonly errors: number;
}

const errors = sql`count(*) filter (where ${hasFailed})`.mapWith(Number);

export async function listFailingApplications(
  on: Queryable,
  {
    since,
    fewestCalls,
    share,
  }: { readonly since: Date; readonly fewestCalls: number; readonly share: number },
): Promise<(Outcomes & { readonly clientId: string })[]> {
  return on
    .select({ clientId: applications.clientId, calls: count(), errors })
    .from(requestLog)
    .innerJoin(applications, eq(applications.clientId, requestLog.clientId))
    .where(and(gte(requestLog.at, since), isNull(applications.deletedAt)))
    .groupBy(applications.clientId)
    .having(
      sql`count(*) >= ${fewestCalls} and count(*) filter (where ${hasFailed}) > ${share}::float8 * count(*)`,
    );
}

const sampledCalls = 1_000;

export async function outcomesBefore(
  on: Queryable,
  {
    clientId,
    since,
    until,
  }: { readonly clientId: string; readonly since: Date; readonly until: Date },
): Promise<Outcomes> {
  const newest = on
    .select({ failed: sql<boolean>`${hasFailed}`.as("failed") })
    .from(requestLog)
    .where(
      and(eq(requestLog.clientId, clientId), gte(requestLog.at, since), lt(requestLog.at, until)),
    )
    .orderBy(desc(requestLog.at))
    .limit(sampledCalls)
    .as("newest");
  const [row] = await on
    .select({
      calls: count(),
      errors: sql`count(*) filter (where ${newest.failed})`.mapWith(Number),
    })
    .from(newest);
  return row ?? { calls: 0, errors: 0 };
}

export async function mostFrequentFailure(
  on: Queryable,
  { clientId, since }: { clientId: string; since: Date },
) {
  const { method, route, status, failureCode } = requestLog;
  const [row] = await on
    .select({ method, route, status, failureCode })
    .from(requestLog)
    .where(and(eq(requestLog.clientId, clientId), gte(requestLog.at, since), hasFailed))
    .groupBy(method, route, status, failureCode)
    .orderBy(desc(count()), method, route, status, failureCode)
    .limit(1);
  return row;
}

/** The longest range and the one before it. */
const rowsKept = 62 * daySeconds;

export const trafficSweeps: readonly Sweep[] = [
  { table: trafficHours, column: trafficHours.hour, keep: rowsKept },
];
