import { and, count, eq, gte, inArray, lte, type SQLWrapper, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { applications, consents } from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";
import { type CappedCount, cappedCountOf, noCount } from "#server/platform/paging";
import { dayMs, hourMs, minuteMs } from "#server/platform/time";
import { consentHolds } from "../consents/store";
import type { Instant } from "../grants/grant-status";
import { hasFailed } from "./calls/store";
import { callCountLimit, deviceCountLimit, playerCountLimit } from "./count-limits";
import { liveCounts } from "./live-grants/store";

/** How an application stands. */
export interface ApplicationFigures {
  /** Players with a live consent. */
  readonly users: CappedCount;
  /** Live access tokens on the newest devices. */
  readonly tokens: CappedCount;
  /** Calls of the last 24 hours. */
  readonly calls: CappedCount;
  /** Those of the counted calls, which are the newest, that ended in an error. */
  readonly errors: number;
}

export const noFigures: ApplicationFigures = {
  users: noCount,
  tokens: noCount,
  calls: noCount,
  errors: 0,
};

/** How an application stands now. */
export async function applicationFigures(
  database: Database,
  clientId: string,
  now: Date,
): Promise<ApplicationFigures> {
  return (await listFigures(database, [clientId], now)).get(clientId) ?? noFigures;
}

/** How these applications stand now: two to four statements, however many there are, each of which reads a bounded part. */
export async function listFigures(
  database: Database,
  clientIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ApplicationFigures>> {
  if (clientIds.length === 0) return new Map();
  const [rows, traffic] = await Promise.all([
    usage(database).execute({ clientIds: listOf(clientIds), now: now.toISOString() }),
    countCalls(database, clientIds, now),
  ]);
  return new Map(
    rows.map(({ clientId, users, looked, tokens }) => {
      const { calls, errors } = traffic.get(clientId) ?? noFigures;
      return [
        clientId,
        {
          users: cappedCountOf(users, { most: playerCountLimit }),
          tokens: cappedCountOf(tokens, { looked, most: deviceCountLimit }),
          ...{ calls, errors },
        },
      ];
    }),
  );
}

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

/** Client ids as one parameter, so that a statement is the same for any number of them. */
const listOf = (clientIds: readonly string[]): string => clientIds.join(" ");
const isIn = (clientId: SQLWrapper) =>
  sql`${clientId} = any(string_to_array(${sql.placeholder("clientIds")}, ' '))`;

/** Counts the players with a live consent to the application that a row names: one consent per player and application, which an index guards. */
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

/** How many players have a live consent to each of these applications; at `most` counting stops. */
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

/** Of the newest calls the first are looked at alone: a busy application has enough there, and no index leads to those of today. */
const [shortest, middle, longest] = [5 * minuteMs, hourMs, dayMs];
/** With fewer calls in the shortest window none has enough in the middle one, at this pace. */
const busy = (callCountLimit * shortest) / longest;

/** Each window is one statement for all applications that had fewer calls than are counted in the one before. */
async function countCalls(
  database: Database,
  clientIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Pick<ApplicationFigures, "calls" | "errors">>> {
  const counted = new Map<string, Pick<ApplicationFigures, "calls" | "errors">>();
  for (const window of [shortest, middle, longest]) {
    const open = clientIds.filter((clientId) => !counted.get(clientId)?.calls.more);
    if (open.length === 0) break;
    if (
      window === middle &&
      open.every((clientId) => (counted.get(clientId)?.calls.count ?? 0) < busy)
    )
      continue;
    const since = new Date(now.getTime() - window).toISOString();
    // Calls of the very instant at which counting stops are all looked at for errors.
    for (const { clientId, calls, errors } of await newestCalls(database).execute({
      clientIds: listOf(open),
      since,
    }))
      if (clientId !== null)
        counted.set(clientId, {
          calls: cappedCountOf(Math.min(calls, callCountLimit), { most: callCountLimit }),
          errors: Math.min(errors, callCountLimit),
        });
  }
  return counted;
}

const newestCalls = (database: Database) =>
  database.statement("application_calls", ({ query }) => {
    const newest = query
      .select({
        clientId: requestLog.clientId,
        failed: sql<boolean>`${hasFailed}`.as("failed"),
        rank: sql<number>`rank() over (partition by ${requestLog.clientId} order by ${requestLog.at} desc)`.as(
          "place",
        ),
      })
      .from(requestLog)
      .where(and(isIn(requestLog.clientId), gte(requestLog.at, sql.placeholder("since"))))
      .as("newest");
    return query
      .select({
        clientId: newest.clientId,
        calls: count(),
        errors: sql`count(*) filter (where ${newest.failed})`.mapWith(Number),
      })
      .from(newest)
      .where(lte(newest.rank, callCountLimit))
      .groupBy(newest.clientId)
      .prepare("application_calls");
  });
