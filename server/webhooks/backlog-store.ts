import { and, eq, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { events } from "#db/schema/events";
import { applications } from "#db/schema/oauth";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import { isLeased } from "#server/work/leases";
import { isSending, ofAccount, ofApplication } from "./endpoint-store";

export async function countBacklog(on: Queryable): Promise<{ messages: number; failing: number }> {
  const { failures, waiting } = webhookEndpoints;
  const [row] = await on
    .select({
      messages: sql<number>`coalesce(sum(${waiting}), 0)::integer`,
      failing: sql<number>`(count(*) filter (where ${failures} > 0))::integer`,
    })
    .from(webhookEndpoints)
    .leftJoin(applications, ofApplication)
    .leftJoin(accounts, ofAccount)
    .where(isSending);
  return row ?? { messages: 0, failing: 0 };
}

const mostEndpoints = 100;

/** The oldest event of the endpoint that has been due the longest. */
export async function findDueSince(on: Queryable, now: Date): Promise<Date | undefined> {
  const { id, dueAt } = webhookEndpoints;
  const { endpointId, leaseUntil, nextAt, seq } = webhookDeliveries;
  const due = on
    .select({ id })
    .from(webhookEndpoints)
    .leftJoin(applications, ofApplication)
    .leftJoin(accounts, ofAccount)
    .where(and(isSending, lte(dueAt, now)))
    .orderBy(dueAt)
    .limit(mostEndpoints)
    .as("due");
  const first = on
    .select({ seq, nextAt, leaseUntil })
    .from(webhookDeliveries)
    .where(eq(endpointId, due.id))
    .orderBy(nextAt, seq)
    .limit(1)
    .as("first");
  const [row] = await on
    .select({ since: sql`min(greatest(${events.at}, ${first.nextAt}))`.mapWith(events.at) })
    .from(due)
    .innerJoinLateral(first, sql`true`)
    .innerJoin(events, eq(events.seq, first.seq))
    .where(sql`not ${isLeased(first.leaseUntil)}`);
  return row?.since ?? undefined;
}
