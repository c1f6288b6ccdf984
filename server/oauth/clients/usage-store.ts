import { and, count, eq, inArray, type SQLWrapper, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { applications, consents } from "#db/schema/oauth";
import { type CappedCount, cappedCountOf, noCount } from "#server/platform/paging";
import { consentHolds } from "../consents/store";
import type { Instant } from "../grants/grant-status";
import { deviceCountLimit, liveCounts } from "./live-grants/store";
import { readHours } from "./traffic/store";
import { rangeStart, sumTraffic } from "./traffic/traffic";

/** A page counts rows, of which there may be a million. */
const playerCountLimit = 10_000;

/** Calls and errors of 24 hours. */
export const noFigures = { users: noCount, tokens: noCount, calls: 0, errors: 0 };

/**
 * The number of statements is constant.
 * @param known call figures that were already read
 */
export async function listFigures(
  database: Database,
  clientIds: readonly string[],
  now: Date,
  known?: CallFigures,
): Promise<ReadonlyMap<string, typeof noFigures>> {
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

type CallFigures = ReadonlyMap<string, Pick<typeof noFigures, "calls" | "errors">>;

/** Cheap enough to order all applications of a developer by them. */
export async function callFigures(
  database: Database,
  clientIds: readonly string[],
  now: Date,
): Promise<CallFigures> {
  const range = "24h";
  const from = rangeStart(range, now);
  const hours = await readHours(database.query, { clientIds, from, range }, now);
  return new Map(
    [...hours].map(([clientId, ofClient]) => {
      const { total } = sumTraffic(range, ofClient, now);
      const errors = total.clientErrors + total.limited + total.serverErrors;
      return [clientId, { calls: total.calls, errors }];
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
  asked: { readonly clientIds: readonly string[]; readonly most?: number },
  now: Date,
): Promise<ReadonlyMap<string, CappedCount>> {
  const { clientIds, most = playerCountLimit } = asked;
  if (clientIds.length === 0) return new Map();
  const counted = userCount(on, most, now);
  const rows = await on
    .select({ clientId: applications.clientId, users: counted.users })
    .from(applications)
    .innerJoinLateral(counted, sql`true`)
    .where(inArray(applications.clientId, [...clientIds]));
  return new Map(rows.map(({ clientId, users }) => [clientId, cappedCountOf(users, { most })]));
}
