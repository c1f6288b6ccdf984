import { and, count, desc, eq, gte, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applications } from "#db/schema/oauth";
import { requestLog } from "#db/schema/operations";
import { hasFailed } from "../calls/store";
import { callCountLimit } from "../count-limits";

/** Calls of an application over some time. */
export interface Outcomes {
  readonly calls: number;
  readonly errors: number;
}

const errors = sql`count(*) filter (where ${hasFailed})`.mapWith(Number);

/** Applications with so many calls since then, of which more than this share failed. */
export async function listFailing(
  on: Queryable,
  { since, fewestCalls, share }: { readonly since: Date; readonly fewestCalls: number; readonly share: number },
): Promise<(Outcomes & { readonly clientId: string })[]> {
  return on
    .select({ clientId: applications.clientId, calls: count(), errors })
    .from(requestLog)
    .innerJoin(applications, eq(applications.clientId, requestLog.clientId))
    .where(and(gte(requestLog.at, since), isNull(applications.deletedAt)))
    .groupBy(applications.clientId)
    .having(sql`count(*) >= ${fewestCalls} and count(*) filter (where ${hasFailed}) > ${share}::float8 * count(*)`);
}

/** How an application's newest calls before that moment went, of a day at most. */
export async function outcomesBefore(
  on: Queryable,
  { clientId, since, until }: { readonly clientId: string; readonly since: Date; readonly until: Date },
): Promise<Outcomes> {
  const newest = on
    .select({ failed: sql<boolean>`${hasFailed}`.as("failed") })
    .from(requestLog)
    .where(and(eq(requestLog.clientId, clientId), gte(requestLog.at, since), lt(requestLog.at, until)))
    .orderBy(desc(requestLog.at))
    .limit(callCountLimit)
    .as("newest");
  const [row] = await on
    .select({ calls: count(), errors: sql`count(*) filter (where ${newest.failed})`.mapWith(Number) })
    .from(newest);
  return row ?? { calls: 0, errors: 0 };
}

/** The failure that an application had most often since then. */
export async function mostFrequentFailure(on: Queryable, { clientId, since }: { clientId: string; since: Date }) {
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

/** Holds an application until the transaction's end, and says whose it is. Undefined for one that was deleted. */
export async function lockOwner(tx: Queryable, clientId: string) {
  const [row] = await tx
    .select({ ownerId: applications.ownerId, name: applications.name })
    .from(applications)
    .where(and(eq(applications.clientId, clientId), isNull(applications.deletedAt)))
    .for("no key update");
  return row;
}
