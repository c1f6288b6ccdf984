import {
  and,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Queryable } from "#db/client";
import { accounts } from "#db/schema/accounts";
import { events } from "#db/schema/events";
import { applications } from "#db/schema/oauth";
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import { columnsOf, first } from "#db/select";
import type { Sweep } from "#db/sweep";
import { daySeconds } from "#server/platform/time";
import { isLeased, type WorkTable } from "#server/work/leases";
import { failuresBeforeRest } from "./endpoint";
import { accountJoin, applicationJoin, isSending } from "./endpoint-store";

export type Delivery = typeof webhookDeliveries.$inferSelect;

export const deliveryWorkTable: WorkTable<Delivery> = {
  table: webhookDeliveries,
  id: webhookDeliveries.id,
};

export type Message = Pick<Delivery, "messageId" | "seq" | "playerId" | "type">;
export type NewDelivery = Message &
  Pick<Delivery, "endpointId"> &
  Partial<Pick<Delivery, "body" | "gapAfter">>;

/** Due on every clock, so deliveries with this time are sent in log order. */
export const earliestDueAt = new Date(0);

const { id, failures, failedTypes, pacedUntil, probeAt } = webhookEndpoints;
const own = sql`delivery.endpoint_id = ${id}`;
export const isResting = sql`${failures} >= ${failuresBeforeRest}`;

/** Includes leased deliveries, so that a dead process's endpoint is claimed again. */
const firstDue = sql`case when not ${isResting} then (
    select greatest(delivery.next_at, ${pacedUntil}) from ${webhookDeliveries} delivery
    where ${own} order by delivery.next_at, delivery.seq limit 1)
  when exists (select 1 from ${webhookDeliveries} delivery
    where ${own} and delivery.next_at = 'epoch' and delivery.type <> all(${failedTypes}))
    then greatest('epoch', ${pacedUntil})
  when exists (select 1 from ${webhookDeliveries} delivery where ${own})
    then greatest(${probeAt}, ${pacedUntil}) end`;

/** Must run after every change of these endpoints or their deliveries. */
export async function refreshDueAt(tx: Queryable, endpointIds: readonly string[]): Promise<void> {
  if (endpointIds.length > 0)
    await tx
      .update(webhookEndpoints)
      .set({ dueAt: firstDue })
      .where(inArray(id, [...endpointIds]));
}

/** Bounds the JSON that PostgreSQL parses in memory. */
const rowsAtOnce = 5_000;

/**
 * A delivery that already waits becomes due at once. The caller locks the endpoints.
 * @returns the number of waiting deliveries per endpoint
 */
export async function upsertDeliveries(
  tx: Queryable,
  deliveries: readonly NewDelivery[],
): Promise<ReadonlyMap<string, number>> {
  const waiting = new Map<string, number>();
  for (let from = 0; from < deliveries.length; from += rowsAtOnce) {
    const rows = deliveries.slice(from, from + rowsAtOnce);
    const put = tx.$with("put", { endpointId: sql`endpoint_id`, isNew: sql`is_new` }).as(sql`
      insert into ${webhookDeliveries} (endpoint_id, message_id, seq, gap_after, player_id, type, body, next_at)
      select "endpointId", "messageId", seq, "gapAfter", "playerId", type, body, 'epoch'
      from json_to_recordset(${JSON.stringify(rows)}::json) as new
        ("endpointId" uuid, "messageId" text, seq bigint, "gapAfter" bigint, "playerId" int, type text, body text)
      on conflict (endpoint_id, message_id) do update set next_at = 'epoch'
      returning endpoint_id, (xmax = 0)::int as is_new`);
    const changed = await tx
      .with(put)
      .update(webhookEndpoints)
      .set({ waiting: sql`${webhookEndpoints.waiting} + counted.new` })
      .from(
        sql`(select endpoint_id, sum(is_new)::int as new from put group by endpoint_id) as counted`,
      )
      .where(sql`${id} = counted.endpoint_id`)
      .returning({ id, waiting: webhookEndpoints.waiting });
    for (const row of changed) waiting.set(row.id, row.waiting);
  }
  await refreshDueAt(tx, [...waiting.keys()]);
  return waiting;
}

/** Locks in id order, as lease extensions do, to avoid deadlocks. */
const locked = (tx: Queryable, where: SQL | undefined): SQL => {
  const ids = tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(where)
    .orderBy(webhookDeliveries.id)
    .for("update");
  return sql`${webhookDeliveries.id} = any(array(${ids}))`;
};

/** @returns the log number before the first removed delivery */
export async function dropDeliveries(
  tx: Queryable,
  endpointId: string,
  until = Number.MAX_SAFE_INTEGER,
): Promise<number | undefined> {
  const { seq, gapAfter } = webhookDeliveries;
  const dropped = await tx
    .delete(webhookDeliveries)
    .where(locked(tx, and(eq(webhookDeliveries.endpointId, endpointId), lte(seq, until))))
    .returning({ after: sql`coalesce(${gapAfter}, ${seq} - 1)`.mapWith(Number) });
  await tx
    .update(webhookEndpoints)
    .set({ waiting: sql`${webhookEndpoints.waiting} - ${dropped.length}` })
    .where(eq(id, endpointId));
  return dropped.length === 0
    ? undefined
    : dropped.reduce((least, { after }) => Math.min(least, after), Number.POSITIVE_INFINITY);
}

/** The caller holds the claims. @returns the endpoint of each removed delivery */
export async function removeDeliveries(tx: Queryable, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { endpointId } = webhookDeliveries;
  const rows = await tx
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.id, [...ids]))
    .returning({ endpointId });
  return rows.map((row) => row.endpointId);
}

export async function expediteProbe(tx: Queryable, endpointId: string): Promise<void> {
  await tx.update(webhookEndpoints).set({ probeAt: earliestDueAt }).where(eq(id, endpointId));
}

export async function expediteDeliveries(tx: Queryable, endpointId: string): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ nextAt: earliestDueAt })
    .where(locked(tx, eq(webhookDeliveries.endpointId, endpointId)));
  await refreshDueAt(tx, [endpointId]);
}

export async function listEndpointsWithExpired(
  on: Queryable,
  oldest: number,
  most: number,
): Promise<string[]> {
  const first = on
    .select({ one: sql`1` })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, id), lte(webhookDeliveries.seq, oldest)));
  const rows = await on
    .select({ id })
    .from(webhookEndpoints)
    .where(
      and(
        sql`${webhookEndpoints.waiting} > 0`,
        sql`exists (${first})`,
        // A disabled endpoint with more deliveries gets one gap when it is enabled.
        sql`(${webhookEndpoints.state} = 'enabled' or ${webhookEndpoints.waiting} <= ${most})`,
      ),
    );
  return rows.map((row) => row.id);
}

export async function readBacklogTotals(
  on: Queryable,
): Promise<{ messages: number; failing: number }> {
  const { failures, waiting } = webhookEndpoints;
  const [row] = await on
    .select({
      messages: sql<number>`coalesce(sum(${waiting}), 0)::integer`,
      failing: sql<number>`(count(*) filter (where ${failures} > 0))::integer`,
    })
    .from(webhookEndpoints)
    .leftJoin(applications, applicationJoin)
    .leftJoin(accounts, accountJoin)
    .where(isSending);
  return row ?? { messages: 0, failing: 0 };
}

const mostEndpoints = 100;

/** Finds when the oldest unleased delivery became due, among the endpoints due first. */
export async function findDueSince(on: Queryable, now: Date): Promise<Date | undefined> {
  const { id, dueAt } = webhookEndpoints;
  const { endpointId, leaseUntil, nextAt, seq } = webhookDeliveries;
  const due = on
    .select({ id })
    .from(webhookEndpoints)
    .leftJoin(applications, applicationJoin)
    .leftJoin(accounts, accountJoin)
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

export type NewAttempt = typeof webhookAttempts.$inferInsert;

export async function insertAttempts(on: Queryable, rows: readonly NewAttempt[]): Promise<void> {
  if (rows.length > 0) await on.insert(webhookAttempts).values([...rows]);
}

export const listAttemptRows = (
  on: Queryable,
  {
    endpointId,
    before: place,
    unsuccessful,
    limit,
  }: {
    readonly endpointId: string;
    readonly before: bigint | undefined;
    readonly unsuccessful: boolean;
    readonly limit: number;
  },
) =>
  on
    .select({
      ...columnsOf(webhookAttempts, [
        "id",
        "at",
        "messageId",
        "type",
        "attempt",
        "outcome",
        "status",
        "phases",
        "excerpt",
        "failure",
      ]),
      nextAt: webhookDeliveries.nextAt,
    })
    .from(webhookAttempts)
    .leftJoin(
      webhookDeliveries,
      and(
        isNotNull(webhookAttempts.nextAt),
        eq(webhookDeliveries.endpointId, webhookAttempts.endpointId),
        eq(webhookDeliveries.messageId, webhookAttempts.messageId),
        // Only a message's latest attempt has a next attempt.
        lte(webhookDeliveries.attempts, webhookAttempts.attempt),
      ),
    )
    .where(
      and(
        eq(webhookAttempts.endpointId, endpointId),
        place === undefined ? undefined : lt(webhookAttempts.id, place),
        unsuccessful
          ? inArray(webhookAttempts.outcome, ["failed", "given-up", "exhausted"])
          : undefined,
      ),
    )
    .orderBy(desc(webhookAttempts.id))
    .limit(limit);

const sent = {
  ...columnsOf(webhookAttempts, ["messageId", "playerId", "type"]),
  // Null only for test events, which no query below selects.
  seq: sql<number>`${webhookAttempts.seq}`.mapWith(Number).as("seq"),
};

export function findSentMessage(
  on: Queryable,
  key: { readonly endpointId: string; readonly messageId: string },
): Promise<Message | undefined> {
  const { endpointId, messageId, seq } = webhookAttempts;
  return first(
    on
      .select(sent)
      .from(webhookAttempts)
      .where(and(eq(endpointId, key.endpointId), eq(messageId, key.messageId), isNotNull(seq)))
      .limit(1),
  );
}

interface UndeliveredQuery {
  readonly endpointId: string;
  readonly since: Date;
  readonly after: number;
  readonly limit: number;
}

function undelivered(on: Queryable, { endpointId, since, after, limit }: UndeliveredQuery) {
  const last = on
    .selectDistinctOn([webhookAttempts.messageId], {
      ...sent,
      outcome: webhookAttempts.outcome,
    })
    .from(webhookAttempts)
    .where(
      and(
        eq(webhookAttempts.endpointId, endpointId),
        gte(webhookAttempts.at, since),
        gt(webhookAttempts.seq, after),
      ),
    )
    .orderBy(webhookAttempts.messageId, desc(webhookAttempts.id))
    .as("last");
  return on
    .select({ messageId: last.messageId, seq: last.seq, playerId: last.playerId, type: last.type })
    .from(last)
    .where(and(ne(last.outcome, "delivered"), ne(last.outcome, "withdrawn")))
    .orderBy(last.seq, last.messageId)
    .limit(limit);
}

export const listUndelivered = async (on: Queryable, of: UndeliveredQuery): Promise<Message[]> =>
  undelivered(on, of);

export const countUndelivered = (on: Queryable, of: UndeliveredQuery): Promise<number> =>
  on.$count(undelivered(on, of).as("undelivered"));

/** Attempts are kept as long as events, so that every listed event can be replayed. */
const attemptDays = 7;

export const webhookSweeps: readonly Sweep[] = [
  {
    table: webhookAttempts,
    column: webhookAttempts.at,
    keep: attemptDays * daySeconds,
    grows: webhookAttempts.id,
  },
  // Nothing is sent for deleted applications, so their secrets are not needed.
  {
    table: webhookEndpoints,
    column: webhookEndpoints.createdAt,
    keep: 0,
    where: sql`${webhookEndpoints.clientId} in (
      select ${applications.clientId} from ${applications} where ${isNotNull(applications.deletedAt)})`,
  },
];
