import { and, count, eq, gte, inArray, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applications, consents } from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";
import { type CappedCount, cappedCountOf, noCount } from "#server/platform/capped-count";
import { dayMs, hourMs, minuteMs } from "#server/platform/durations";
import { consentHolds } from "../../consents/store";
import { hasFailed } from "../calls/store";
import { callCountLimit, playerCountLimit } from "../count-limits";
import { countLiveGrants } from "../live-grants/store";

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

export const noFigures: ApplicationFigures = { users: noCount, tokens: noCount, calls: noCount, errors: 0 };

/** How an application stands now. */
export async function applicationFigures(on: Queryable, clientId: string, now: Date): Promise<ApplicationFigures> {
  return (await listFigures(on, [clientId], now)).get(clientId) ?? noFigures;
}

/** How these applications stand now: a few statements, however many there are, each of which reads a bounded part. */
export async function listFigures(
  on: Queryable,
  clientIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ApplicationFigures>> {
  const [users, live, traffic] = await Promise.all([
    countUsers(on, { clientIds, most: playerCountLimit }, now),
    countLiveGrants(on, clientIds, now),
    countCalls(on, clientIds, now),
  ]);
  return new Map(
    clientIds.map((clientId) => {
      const { calls, errors } = traffic.get(clientId) ?? noFigures;
      return [
        clientId,
        { users: users.get(clientId) ?? noCount, tokens: live.get(clientId)?.tokens ?? noCount, calls, errors },
      ];
    }),
  );
}

/** How many players have a live consent to each of these applications; at `most` counting stops. */
export async function countUsers(
  on: Queryable,
  { clientIds, most }: { readonly clientIds: readonly string[]; readonly most: number },
  now: Date,
): Promise<ReadonlyMap<string, CappedCount>> {
  if (clientIds.length === 0) return new Map();
  // One live consent per player and application, which an index guards.
  const found = on
    .select({ until: consents.until })
    .from(consents)
    .where(and(eq(consents.clientId, applications.clientId), consentHolds(now)))
    .limit(most)
    .as("found");
  const counted = on
    .select({ users: count().as("users") })
    .from(found)
    .as("counted");
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
  on: Queryable,
  clientIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Pick<ApplicationFigures, "calls" | "errors">>> {
  const counted = new Map<string, Pick<ApplicationFigures, "calls" | "errors">>();
  for (const window of [shortest, middle, longest]) {
    const open = clientIds.filter((clientId) => !counted.get(clientId)?.calls.more);
    if (open.length === 0) break;
    if (window === middle && open.every((clientId) => (counted.get(clientId)?.calls.count ?? 0) < busy)) continue;
    const newest = on
      .select({
        clientId: requestLog.clientId,
        failed: sql<boolean>`${hasFailed}`.as("failed"),
        rank: sql<number>`rank() over (partition by ${requestLog.clientId} order by ${requestLog.at} desc)`.as("place"),
      })
      .from(requestLog)
      .where(and(inArray(requestLog.clientId, open), gte(requestLog.at, new Date(now.getTime() - window))))
      .as("newest");
    const rows = await on
      .select({
        clientId: newest.clientId,
        calls: count(),
        errors: sql`count(*) filter (where ${newest.failed})`.mapWith(Number),
      })
      .from(newest)
      .where(lte(newest.rank, callCountLimit))
      .groupBy(newest.clientId);
    // Calls of the very instant at which counting stops are all looked at for errors.
    for (const { clientId, calls, errors } of rows)
      if (clientId !== null)
        counted.set(clientId, {
          calls: cappedCountOf(Math.min(calls, callCountLimit), { most: callCountLimit }),
          errors: Math.min(errors, callCountLimit),
        });
  }
  return counted;
}
