import { and, count, countDistinct, desc, eq, gte, inArray, lt, not, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { requestLog } from "#db/schema/operations";
import { hourMs, minuteMs } from "#server/platform/durations";
import type { PageCursor } from "../page-cursor";
import type { CallOutcome, LoggedCall, TrafficFigures } from "./traffic";

/** The first status that tells of an error. */
const firstError = 400;

/** Whether a call failed. Written out as in the index of failed calls: with a parameter the index would not be used. */
export const hasFailed = sql`${requestLog.status} >= ${sql.raw(String(firstError))}`;

const tooManyRequests = 429;

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

const callColumns = {
  id: requestLog.id,
  at: requestLog.at,
  requestId: requestLog.requestId,
  method: requestLog.method,
  route: requestLog.route,
  status: requestLog.status,
  failureCode: requestLog.failureCode,
  micros: requestLog.micros,
};

const hasOutcome: Readonly<Record<CallOutcome, SQL | undefined>> = {
  all: undefined,
  good: not(hasFailed),
  failed: hasFailed,
  limited: and(hasFailed, eq(requestLog.status, tooManyRequests)),
};

interface AskedCalls {
  readonly clientId: string;
  readonly outcome: CallOutcome;
  readonly since: Date;
  readonly now: Date;
  readonly after: PageCursor | null;
  readonly limit: number;
}

/** Milliseconds. A busy application fills a page from the first window; no index leads to what others called today. */
const windows = [5 * minuteMs, 2 * hourMs];

/** The calls of an application since then, newest first. */
export async function listCalls(on: Queryable, of: AskedCalls): Promise<LoggedCall[]> {
  const { outcome, now, after, limit } = of;
  const newest = Math.min(now.getTime(), after?.at.getTime() ?? now.getTime());
  // What failed has its index.
  for (const window of outcome === "all" || outcome === "good" ? windows : []) {
    const since = new Date(newest - window);
    const calls = since > of.since ? await listCallsSince(on, { ...of, since }) : [];
    if (calls.length === limit) return calls;
  }
  return listCallsSince(on, of);
}

async function listCallsSince(
  on: Queryable,
  { clientId, outcome, since, after, limit }: AskedCalls,
): Promise<LoggedCall[]> {
  const rows = await on
    .select(callColumns)
    .from(requestLog)
    .where(and(eq(requestLog.clientId, clientId), gte(requestLog.at, since), hasOutcome[outcome], isAfter(after)))
    .orderBy(desc(requestLog.at), desc(requestLog.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, id: String(row.id) }));
}

/** The call of one of these applications that had this request id, since then. */
export async function findCall(
  on: Queryable,
  of: { readonly clientIds: readonly string[]; readonly requestId: string; readonly since: Date },
): Promise<(LoggedCall & { readonly clientId: string | null }) | undefined> {
  const [row] = await on
    .select({ ...callColumns, clientId: requestLog.clientId })
    .from(requestLog)
    .where(
      and(
        inArray(requestLog.clientId, [...of.clientIds]),
        gte(requestLog.at, of.since),
        eq(requestLog.requestId, of.requestId),
      ),
    )
    .limit(1);
  return row && { ...row, id: String(row.id) };
}

function isAfter(cursor: PageCursor | null): SQL | undefined {
  if (!cursor || !/^\d{1,18}$/.test(cursor.id)) return undefined;
  return or(lt(requestLog.at, cursor.at), and(eq(requestLog.at, cursor.at), lt(requestLog.id, BigInt(cursor.id))));
}
