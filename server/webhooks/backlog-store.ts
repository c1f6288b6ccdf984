import { and, eq, isNull, min, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { applications } from "#db/schema/oauth";
import { webhookEndpoints } from "#db/schema/webhooks";
import { leaseCounts } from "./lease-store";

/** What waits for endpoints that are switched on, how many of them fail, and since when one is due that nobody serves. */
export async function countBacklog(on: Queryable, now: Date) {
  const { clientId, dueAt, failures, leaseUntil, state, waiting } = webhookEndpoints;
  const at = sql`${now.toISOString()}::timestamptz`;
  const [row] = await on
    .select({
      messages: sql<number>`coalesce(sum(${waiting}), 0)::integer`,
      failing: sql<number>`(count(*) filter (where ${failures} > 0))::integer`,
      dueSince: min(sql`case when ${dueAt} <= ${at} and not ${leaseCounts(leaseUntil, now)} then ${dueAt} end`).mapWith(
        dueAt,
      ),
    })
    .from(webhookEndpoints)
    .innerJoin(applications, eq(applications.clientId, clientId))
    .where(and(eq(state, "enabled"), isNull(applications.deletedAt), isNull(applications.suspendedAt)));
  return row ?? { messages: 0, failing: 0, dueSince: null };
}
