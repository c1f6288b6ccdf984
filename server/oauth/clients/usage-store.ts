import { and, count, eq, gte, inArray, lt, type SQLWrapper, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Database, Queryable } from "#db/client";
import { applications, consents } from "#db/schema/oauth";
import { appState, requestLog, trafficHours } from "#db/schema/operations";
import { type CappedCount, cappedCountOf, noCount } from "#server/platform/paging";
import { minuteMs } from "#server/platform/time";
import { consentHolds } from "../consents/store";
import type { Instant } from "../grants/grant-status";
import { hasFailed } from "./calls/store";
import { deviceCountLimit, playerCountLimit } from "./count-limits";
import { liveCounts } from "./live-grants/store";
import { countedUntil } from "./traffic/store";
import { rangeStart } from "./traffic/traffic";

export interface ApplicationFigures {
  readonly users: CappedCount;
  readonly tokens: CappedCount;
  /** 24 hours. */
  readonly calls: number;
  readonly errors: number;
}

export const noFigures: ApplicationFigures = {
  users: noCount,
  tokens: noCount,
  calls: 0,
  errors: 0,
};

export async function applicationFigures(
  database: Database,
  clientId: string,
  now: Date,
): Promise<ApplicationFigures> {
  return (await listFigures(database, [clientId], now)).get(clientId) ?? noFigures;
}

/**
 * The number of statements is constant.
 * @param known call figures that were already read
 */
export async function listFigures(
  database: Database,
  clientIds: readonly string[],
  now: Date,
  known?: CallFigures,
): Promise<ReadonlyMap<string, ApplicationFigures>> {
  if (clientIds.length === 0) return new Map();
  const [rows, calls] = await Promise.all([
    usage(database).execute({ clientIds: listOf(clientIds), now: now.toISOString() }),
    known ?? callFigures(database, clientIds, now),
  ]);
  return new Map(
    rows.map(({ clientId, users, looked, tokens }) => [
      clientId,
      {
        ...(calls.get(clientId) ?? noFigures),
        users: cappedCountOf(users, { most: playerCountLimit }),
        tokens: cappedCountOf(tokens, { looked, most: deviceCountLimit }),
      },
    ]),
  );
}

type CallFigures = ReadonlyMap<string, Pick<ApplicationFigures, "calls" | "errors">>;

/** Cheap enough to order all applications of a developer by them. */
export async function callFigures(
  database: Database,
  clientIds: readonly string[],
  now: Date,
): Promise<CallFigures> {
  const rows = await countCalls(database).execute({
    clientIds: listOf(clientIds),
    from: rangeStart("24h", now).toISOString(),
    until: new Date(now.getTime() + minuteMs).toISOString(),
  });
  return new Map(rows.map(({ clientId, ...figures }) => [clientId, figures]));
}

/** Stored hours, and the log since the last of them, in one snapshot. */
const countCalls = (database: Database) =>
  database.statement("call_figures", ({ query }) => {
    const counted = query
      .select({ until: sql`${appState.value}::timestamptz` })
      .from(appState)
      .where(eq(appState.key, countedUntil));
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
          isIn(trafficHours.clientId),
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
          isIn(requestLog.clientId),
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

const usage = (database: Database) =>
  database.statement("application_figures", ({ query }) => {
    const now = sql.placeholder("now");
    const [users, live] = [userCount(query, playerCountLimit, now), liveCounts(query, now)];
    return query
      .select({
        clientId: applications.clientId,
        users: users.users,
        looked: live.looked,
        tokens: live.tokens,
      })
      .from(applications)
      .innerJoinLateral(users, sql`true`)
      .innerJoinLateral(live, sql`true`)
      .where(isIn(applications.clientId))
      .prepare("application_figures");
  });

/** One parameter, so that the statement is the same for any number of ids. */
const listOf = (clientIds: readonly string[]): string => clientIds.join(" ");
const isIn = (clientId: SQLWrapper) =>
  sql`${clientId} = any(string_to_array(${sql.placeholder("clientIds")}, ' '))`;

/** A unique index keeps one consent per player and application. */
function userCount(on: Queryable, most: number, now: Instant) {
  const found = on
    .select({ until: consents.until })
    .from(consents)
    .where(and(eq(consents.clientId, applications.clientId), consentHolds(now)))
    .limit(most)
    .as("found");
  return on
    .select({ users: count().as("users") })
    .from(found)
    .as("counted");
}

export async function countUsers(
  on: Queryable,
  { clientIds, most }: { readonly clientIds: readonly string[]; readonly most: number },
  now: Date,
): Promise<ReadonlyMap<string, CappedCount>> {
  if (clientIds.length === 0) return new Map();
  const counted = userCount(on, most, now);
  const rows = await on
    .select({ clientId: applications.clientId, users: counted.users })
    .from(applications)
    .innerJoinLateral(counted, sql`true`)
    .where(inArray(applications.clientId, [...clientIds]));
  return new Map(rows.map(({ clientId, users }) => [clientId, cappedCountOf(users, { most })]));
}
