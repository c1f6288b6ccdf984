import { and, asc, count, desc, eq, gte, inArray, max, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { requestLog } from "#db/schema/operations";
import { usedRight } from "../clients/calls/store";

/** Of each endpoint by each application; `calls` are those since then. */
export async function listUsage(
  on: Queryable,
  of: { readonly accountId: string; readonly clientIds: readonly string[] },
  since: Date,
) {
  if (of.clientIds.length === 0) return [];
  const rows = await on
    .select({
      clientId: requestLog.clientId,
      method: requestLog.method,
      route: requestLog.route,
      lastUsed: max(requestLog.at),
      calls: count(sql`case when ${gte(requestLog.at, since)} then 1 end`),
    })
    .from(requestLog)
    .where(
      and(
        eq(requestLog.accountId, of.accountId),
        inArray(requestLog.clientId, [...of.clientIds]),
        usedRight,
      ),
    )
    .groupBy(requestLog.clientId, requestLog.method, requestLog.route);
  return rows.flatMap(({ clientId, lastUsed, ...row }) =>
    clientId === null || lastUsed === null ? [] : [{ ...row, clientId, lastUsed }],
  );
}

/** By UTC day: newest day and busiest endpoint first. */
export async function listDaysOfCalls(
  on: Queryable,
  of: { readonly accountId: string; readonly clientId: string },
  since: Date,
) {
  const day = sql`date_trunc('day', ${requestLog.at}, 'UTC')`.mapWith(requestLog.at).as("day");
  const calls = count().as("calls");
  const rows = await on
    .select({
      day,
      method: requestLog.method,
      route: requestLog.route,
      calls,
      refused: sql`count(*) filter (where ${requestLog.status} >= 400)`.mapWith(Number),
      last: max(requestLog.at),
    })
    .from(requestLog)
    .where(
      and(
        eq(requestLog.accountId, of.accountId),
        eq(requestLog.clientId, of.clientId),
        gte(requestLog.at, since),
        usedRight,
      ),
    )
    .groupBy(sql`day`, requestLog.method, requestLog.route)
    .orderBy(desc(sql`day`), desc(sql`calls`), asc(requestLog.route), asc(requestLog.method));
  return rows.flatMap(({ last, ...row }) => (last === null ? [] : [{ ...row, last }]));
}
