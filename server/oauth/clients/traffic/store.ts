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
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { findAppState } from "#db/app-state";
import type { Database, Queryable } from "#db/client";
import { applications, consents } from "#db/schema/oauth";
import {
  appState,
  auditLog,
  type EndpointCounts,
  requestLog,
  trafficHours,
} from "#db/schema/operations";
import { hasRows } from "#db/select";
import type { Sweep } from "#db/sweep";
import type { AuditedAct } from "#server/audit/audit";
import { daySeconds, hourMs, minuteMs, secondMs } from "#server/platform/time";
import { hadLiveToken, hasFailed } from "../calls/store";
import { type HourOfTraffic, latencyBucketBase, rangeStart, type TrafficRange } from "./traffic";

interface Part {
  readonly clientIds?: readonly string[];
  readonly from: Date;
  readonly until: Date;
}

const minute = sql`date_trunc('minute', ${requestLog.at})`;
const power = sql<number>`floor(ln(greatest(${requestLog.micros}, 1)) / ln(${sql.raw(String(latencyBucketBase))}))::int`;
const having = (status: string) => sql`count(*) filter (where ${sql.raw(status)})`.mapWith(Number);

const isIn = ({ clientIds, from, until }: Part) =>
  and(
    gte(requestLog.at, from),
    lt(requestLog.at, until),
    clientIds ? inArray(requestLog.clientId, [...clientIds]) : isNotNull(requestLog.clientId),
  );

/** Returns one row per application and slot; `hour` is the slot's start, even of a minute. */
export async function countTrafficByHour(
  on: Queryable,
  part: Part,
  slotMs = hourMs,
): Promise<HourOfTraffic[]> {
  const { clientId, method, route, accountId } = requestLog;
  /** Slots since 1970. */
  const slot = sql<number>`floor(extract(epoch from ${requestLog.at}) / ${sql.raw(String(slotMs / secondMs))})::int`;
  const endpoints = await on
    .select({
      clientId,
      slot,
      method,
      route,
      calls: count(),
      clientErrors: having("status between 400 and 499 and status <> 429"),
      limited: having("status = 429"),
      serverErrors: having("status >= 500"),
    })
    .from(requestLog)
    .where(isIn(part))
    .groupBy(clientId, slot, method, route);
  if (endpoints.length === 0) return [];
  const latencies = await on
    .select({ clientId, slot, power, calls: count() })
    .from(requestLog)
    .where(isIn(part))
    .groupBy(clientId, slot, power);
  const minutes = on
    .select({ clientId, slot: slot.as("slot"), calls: count().as("calls") })
    .from(requestLog)
    .where(and(isIn(part), isNotNull(accountId)))
    .groupBy(clientId, slot, accountId, minute)
    .as("minutes");
  const busiest = await on
    .select({
      clientId: minutes.clientId,
      slot: minutes.slot,
      calls: sql`max(${minutes.calls})`.mapWith(Number),
    })
    .from(minutes)
    .groupBy(minutes.clientId, minutes.slot);

  const hours = new Map<string, MutableHour>();
  const at = ({ clientId: id, slot: number }: { clientId: string | null; slot: number }) => {
    const known = hours.get(`${id} ${number}`);
    if (known) return known;
    const hour: MutableHour = {
      clientId: id ?? "",
      hour: new Date(number * slotMs),
      endpoints: {},
      latency: {},
      busiestMinute: 0,
    };
    hours.set(`${id} ${number}`, hour);
    return hour;
  };
  for (const row of endpoints)
    at(row).endpoints[`${row.method} ${row.route}`] = [
      row.calls,
      row.clientErrors,
      row.limited,
      row.serverErrors,
    ];
  for (const row of latencies) at(row).latency[String(row.power)] = row.calls;
  for (const row of busiest) at(row).busiestMinute = row.calls;
  return [...hours.values()];
}

type MutableHour = Omit<HourOfTraffic, "endpoints" | "latency" | "busiestMinute"> & {
  endpoints: Record<string, EndpointCounts>;
  latency: Record<string, number>;
  busiestMinute: number;
};

export const countedUntilKey = "traffic-counted-until";

export async function insertHours(tx: Queryable, hours: readonly HourOfTraffic[]): Promise<void> {
  if (hours.length > 0)
    await tx
      .insert(trafficHours)
      .values([...hours])
      .onConflictDoNothing();
}

/** The last use is kept on consents, because the request log keeps only 30 days. */
export async function noteConsentUse(tx: Queryable, part: Part): Promise<void> {
  const used = tx
    .select({
      accountId: requestLog.accountId,
      clientId: requestLog.clientId,
      last: max(requestLog.at).as("last"),
    })
    .from(requestLog)
    .where(and(isIn(part), isNotNull(requestLog.accountId), hadLiveToken))
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

/** Keyed by client id. The range "1h" needs minutes, which only the request log has. */
export async function readHours(
  on: Queryable,
  asked: {
    readonly clientIds: readonly string[];
    readonly from: Date;
    readonly range: TrafficRange;
  },
  now: Date,
): Promise<ReadonlyMap<string, readonly HourOfTraffic[]>> {
  const { clientIds, from: start, range } = asked;
  const until = new Date(now.getTime() + minuteMs);
  const byClient = (hours: readonly HourOfTraffic[]) =>
    Map.groupBy(hours, ({ clientId }) => clientId);
  if (range === "1h")
    return byClient(await countTrafficByHour(on, { clientIds, from: start, until }, minuteMs));
  const state = await findAppState(on, countedUntilKey);
  const counted = state === undefined ? start : new Date(state);
  const from = counted > start ? counted : start;
  const [stored, since] = await Promise.all([
    listStoredHours(on, { clientIds, from: start, until: from < until ? from : until }),
    countTrafficByHour(on, { clientIds, from, until }),
  ]);
  return byClient([...stored, ...since]);
}

const listStoredHours = (
  on: Queryable,
  { clientIds, from, until }: Required<Part>,
): Promise<HourOfTraffic[]> =>
  on
    .select()
    .from(trafficHours)
    .where(
      and(
        inArray(trafficHours.clientId, [...clientIds]),
        gte(trafficHours.hour, from),
        lt(trafficHours.hour, until),
      ),
    )
    .orderBy(asc(trafficHours.hour));

const did = (act: AuditedAct) => sql<boolean>`bool_or(${auditLog.act} = ${act})`;

/** Cumulative: a player in one step is also in all earlier steps. */
export async function countFunnel(on: Queryable, clientId: string, since: Date) {
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
  const cameTo = (step: SQL) => sql`count(*) filter (where ${step})`.mapWith(Number);
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

/** `call` covers 30 days only, the retention of the request log. */
export async function readFirstRunSteps(on: Queryable, clientId: string) {
  const one = { one: sql`1` };
  const acted = (act: AuditedAct) =>
    hasRows(
      on
        .select(one)
        .from(auditLog)
        .where(and(eq(auditLog.clientId, clientId), eq(auditLog.act, act)))
        .limit(1),
    );
  const [code, token, call] = await Promise.all([
    acted("code.issued"),
    acted("token.issued"),
    hasRows(on.select(one).from(requestLog).where(eq(requestLog.clientId, clientId)).limit(1)),
  ]);
  return { code, token, call };
}

export interface CallOutcomeCounts {
  readonly calls: number;
  readonly errors: number;
}

const errors = sql`count(*) filter (where ${hasFailed})`.mapWith(Number);

export const listFailingApplications = (
  on: Queryable,
  of: { readonly since: Date; readonly fewestCalls: number; readonly share: number },
) =>
  on
    .select({ clientId: applications.clientId, calls: count(), errors })
    .from(requestLog)
    .innerJoin(applications, eq(applications.clientId, requestLog.clientId))
    .where(and(gte(requestLog.at, of.since), isNull(applications.deletedAt)))
    .groupBy(applications.clientId)
    .having(
      sql`count(*) >= ${of.fewestCalls} and count(*) filter (where ${hasFailed}) > ${of.share}::float8 * count(*)`,
    );

const sampledCalls = 1_000;

export async function countRecentOutcomes(
  on: Queryable,
  of: { readonly clientId: string; readonly since: Date; readonly until: Date },
): Promise<CallOutcomeCounts> {
  const newest = on
    .select({ failed: sql<boolean>`${hasFailed}`.as("failed") })
    .from(requestLog)
    .where(
      and(
        eq(requestLog.clientId, of.clientId),
        gte(requestLog.at, of.since),
        lt(requestLog.at, of.until),
      ),
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

export async function findMostFrequentFailure(
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

export async function readCallFigures(database: Database, clientIds: readonly string[], now: Date) {
  const rows = await countCalls(database).execute({
    clientIds: joinClientIds(clientIds),
    from: rangeStart("24h", now).toISOString(),
    until: new Date(now.getTime() + minuteMs).toISOString(),
  });
  return new Map(rows.map(({ clientId, ...figures }) => [clientId, figures]));
}

/** One statement, so that stored hours and the log since then are one snapshot. */
const countCalls = (database: Database) =>
  database.statement("call_figures", ({ query }) => {
    const counted = query
      .select({ until: sql`${appState.value}::timestamptz` })
      .from(appState)
      .where(eq(appState.key, countedUntilKey));
    const from = sql`${sql.placeholder("from")}::timestamptz`;
    const part = (name: string) => sql`(counts.value ->> ${sql.raw(name)})::int`;
    const stored = query
      .select({
        clientId: trafficHours.clientId,
        calls: part("0").as("calls"),
        errors: sql`${part("1")} + ${part("2")} + ${part("3")}`.as("errors"),
      })
      .from(trafficHours)
      .crossJoinLateral(sql`jsonb_each(${trafficHours.endpoints}) as counts`)
      .where(
        and(
          isInClientIds(trafficHours.clientId),
          gte(trafficHours.hour, from),
          lt(trafficHours.hour, counted),
        ),
      );
    const since = query
      .select({
        clientId: sql<string>`${requestLog.clientId}`.as("client_id"),
        calls: sql`1`.as("calls"),
        errors: sql`(${hasFailed})::int`.as("errors"),
      })
      .from(requestLog)
      .where(
        and(
          isInClientIds(requestLog.clientId),
          sql`${requestLog.at} >= greatest(${from}, (${counted}))`,
          lt(requestLog.at, sql.placeholder("until")),
        ),
      );
    const lines = unionAll(stored, since).as("lines");
    const sum = (column: SQLWrapper) => sql`sum(${column})`.mapWith(Number);
    return query
      .select({
        clientId: lines.clientId,
        calls: sum(lines.calls).as("calls"),
        errors: sum(lines.errors).as("errors"),
      })
      .from(lines)
      .groupBy(lines.clientId)
      .prepare("call_figures");
  });

/** The ids are one parameter, so that one statement fits any number of them. */
export const joinClientIds = (clientIds: readonly string[]): string => clientIds.join(" ");
export const isInClientIds = (clientId: SQLWrapper) =>
  sql`${clientId} = any(string_to_array(${sql.placeholder("clientIds")}, ' '))`;

/** Covers the longest range and the range before it. */
const rowsKept = 62 * daySeconds;

export const trafficSweeps: readonly Sweep[] = [
  { table: trafficHours, column: trafficHours.hour, keep: rowsKept },
];
