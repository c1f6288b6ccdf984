import { and, count, countDistinct, eq, gte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { requestLog } from "#db/schema/operations";
import { hasFailed } from "../calls/store";
import type { TrafficFigures } from "./traffic";

const utcDay = sql<string | null>`to_char(${requestLog.at} at time zone 'UTC', 'YYYY-MM-DD')`;
const microsAt = (share: number) =>
  sql<number | null>`percentile_cont(${sql.raw(String(share))}) within group (order by ${requestLog.micros})`.mapWith(
    Number,
  );

/**
 * The calls of an application since then, in one pass over its part of the log.
 * @returns the whole under null, and each UTC day that had calls under its date, YYYY-MM-DD
 */
export async function trafficByDay(
  on: Queryable,
  clientId: string,
  since: Date,
): Promise<ReadonlyMap<string | null, TrafficFigures>> {
  const rows = await on
    .select({
      day: utcDay.as("day"),
      calls: count(),
      errors: sql`count(*) filter (where ${hasFailed})`.mapWith(Number),
      players: countDistinct(requestLog.accountId),
      medianMicros: microsAt(0.5),
      p95Micros: microsAt(0.95),
    })
    .from(requestLog)
    .where(and(eq(requestLog.clientId, clientId), gte(requestLog.at, since)))
    .groupBy(sql`grouping sets ((day), ())`);
  return new Map(rows.map(({ day, ...figures }) => [day, figures]));
}
