import { and, desc, eq, isNull, lt, lte, not, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { instantSql } from "#db/request-time";
import { applications } from "#db/schema/oauth";
import { webhookEndpoints, webhookMessages } from "#db/schema/webhooks";
import { secondMs } from "#server/platform/time";
import type { WebhookEndpoint } from "./endpoint";
import { failuresBeforeRest } from "./endpoint-health";

/** The claim of a worker on an endpoint; the one with the newest number counts. */
export interface Lease {
  readonly id: string;
  readonly clientId: string;
  readonly lease: number;
}

/** A deleted or suspended application sends nothing. */
const isAlive = and(isNull(applications.deletedAt), isNull(applications.suspendedAt));
const isEnabled = eq(webhookEndpoints.state, "enabled");

/** Longer than any lease: where one ends later, the database's clock was set back. */
const longestLeaseMs = 10 * secondMs;
/** Whether a lease that ends at this instant, if there is one, counts now. */
export const leaseCounts = (leaseUntil: SQLWrapper, now: Date) =>
  sql`coalesce(${leaseUntil} > ${instantSql(now)} and ${leaseUntil} <= ${instantSql(new Date(now.getTime() + longestLeaseMs))}, false)`;

/** Requests that may be under way at once, over all processes. */
export const bounds = {
  endpoint: 2,
  application: 4,
  /** Over all applications: many endpoints at one host must not become an attack on it. */
  host: 8,
};

/** One process after the other claims and takes permits, so that each sees what the others hold. */
const inTurn = <T>(
  { transaction }: Pick<Database, "transaction">,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> =>
  transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('webhook permits', 0))`);
    return work(tx);
  });

/**
 * Claims endpoints for which there is something to do, those first that had no worker for the longest, with a permit each, as far
 * as the bounds allow. An endpoint whose worker died is free again when its lease ends.
 */
export async function claimEndpoints(
  database: Pick<Database, "transaction" | "query">,
  claim: {
    readonly owner: string;
    readonly now: Date;
    readonly until: Date;
    readonly limit: number;
  },
): Promise<Lease[]> {
  // Nearly always there is nothing, and nobody needs to wait for a turn to see that.
  if (!(await isAnyDue(database.query, claim.now))) return [];
  return inTurn(database, (tx) =>
    tx
      .update(webhookEndpoints)
      .set({
        ...{ lease: sql`${webhookEndpoints.lease} + 1`, permits: 1 },
        ...{ leaseUntil: claim.until, leaseOwner: claim.owner },
      })
      .where(and(sql`${webhookEndpoints.id} = any(array(${claimable(claim)}))`, isEnabled))
      .returning({
        id: webhookEndpoints.id,
        clientId: webhookEndpoints.clientId,
        lease: webhookEndpoints.lease,
      }),
  );
}

async function isAnyDue(on: Queryable, now: Date): Promise<boolean> {
  const { dueAt, leaseUntil } = webhookEndpoints;
  const rows = await on
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(and(isEnabled, lte(dueAt, now), not(leaseCounts(leaseUntil, now))))
    .limit(1);
  return rows.length > 0;
}

const hostOf = (table: "endpoint" | "webhook_endpoints") =>
  sql.raw(`split_part(split_part(${table}.url, '/', 3), ':', 1)`);

/** Endpoints that have workers at this moment, and their permits. */
const heldAt = (now: Date) => sql`
  select id, client_id, ${hostOf("endpoint")} as host, permits from webhook_endpoints endpoint
  where state = 'enabled' and ${leaseCounts(sql.raw("lease_until"), now)}`;

/** Ids in the order of their turns. What somebody is changing at this moment is left for the next look. */
const claimable = ({ now, limit }: { readonly now: Date; readonly limit: number }): SQL => sql`
  with held as (${heldAt(now)}), due as (
    select endpoint.id, endpoint.client_id, ${hostOf("endpoint")} as host, endpoint.lease_until
    from webhook_endpoints endpoint join applications using (client_id)
    where endpoint.state = 'enabled' and endpoint.due_at <= ${instantSql(now)}
      and not ${leaseCounts(sql.raw("endpoint.lease_until"), now)}
      and applications.deleted_at is null and applications.suspended_at is null
  ), of_application as (
    select due.*, coalesce(taken, 0) + row_number() over (partition by client_id order by lease_until nulls first, id) as place
    from due left join (select client_id, sum(permits) as taken from held group by client_id) as own using (client_id)
  ), at_host as (
    select turn.id, turn.lease_until, coalesce(taken, 0) + row_number() over (partition by host order by lease_until nulls first, id) as place
    from of_application turn left join (select host, sum(permits) as taken from held group by host) as there using (host)
    where place <= ${bounds.application}
  )
  select endpoint.id from webhook_endpoints endpoint join at_host using (id)
  where place <= ${bounds.host}
  order by at_host.lease_until nulls first limit ${limit}
  for update of endpoint skip locked`;

/** Takes as many permits as an endpoint may have. @returns whether its application, and its host, had them left */
export const takePermits = (
  database: Pick<Database, "transaction">,
  { id, lease }: Lease,
  now: Date,
): Promise<boolean> =>
  inTurn(database, async (tx) => {
    const others = (same: SQL) =>
      sql`(select coalesce(sum(permits), 0) from (${heldAt(now)}) as held where ${same} and held.id <> ${id})`;
    const ofApplication = others(sql`held.client_id = ${webhookEndpoints.clientId}`);
    const atHost = others(sql`held.host = ${hostOf("webhook_endpoints")}`);
    const taken = await tx
      .update(webhookEndpoints)
      .set({ permits: bounds.endpoint })
      .where(
        and(
          ...[eq(webhookEndpoints.id, id), eq(webhookEndpoints.lease, lease)],
          ...[
            lte(ofApplication, bounds.application - bounds.endpoint),
            lte(atHost, bounds.host - bounds.endpoint),
          ],
        ),
      )
      .returning({ id: webhookEndpoints.id });
    return taken.length > 0;
  });

const isOurs = ({ id, lease }: Lease) =>
  and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.lease, lease));

/** Extends leases. @returns the ids of those that are still the caller's */
export async function extendLeases(
  on: Queryable,
  leases: readonly Lease[],
  until: Date,
): Promise<Set<string>> {
  if (leases.length === 0) return new Set();
  const held = JSON.stringify(leases.map(({ id, lease }) => ({ id, lease })));
  const rows = await on
    .update(webhookEndpoints)
    .set({ leaseUntil: until })
    .where(
      sql`(${webhookEndpoints.id}, ${webhookEndpoints.lease}) in
        (select held.id, held.lease from json_to_recordset(${held}::json) as held (id uuid, lease int))`,
    )
    .returning({ id: webhookEndpoints.id });
  return new Set(rows.map(({ id }) => id));
}

/** The endpoint as it is at this moment; undefined where the claim counts no more, or its application sends nothing. */
export async function readHeldEndpoint(
  on: Queryable,
  lease: Lease,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await on
    .select({ endpoint: webhookEndpoints })
    .from(webhookEndpoints)
    .innerJoin(applications, eq(applications.clientId, webhookEndpoints.clientId))
    .where(and(isOurs(lease), isEnabled, isAlive));
  return row?.endpoint;
}

/** Writes what a worker found out. @returns whether the claim still counts */
export async function saveHeldEndpoint(
  tx: Queryable,
  lease: Lease,
  changes: Partial<typeof webhookEndpoints.$inferInsert> & {
    readonly position: number;
    /** Messages of the log that were dealt with. */
    readonly done: number;
  },
): Promise<boolean> {
  const { position, done, ...columns } = changes;
  const { seq, counted, waiting } = webhookEndpoints;
  const saved = await tx
    .update(webhookEndpoints)
    .set({
      ...columns,
      seq: sql`greatest(${seq}, ${position}::bigint)`,
      // Messages were counted by the consents of that time: nothing is left for certain only at the end of the counted part.
      waiting: sql`case when ${waiting} = 0 or ${counted} <= ${position}::bigint then 0 else greatest(${waiting} - ${done}::int, 1) end`,
    })
    .where(isOurs(lease))
    .returning({ id: webhookEndpoints.id });
  return saved.length > 0;
}

/** Gives an endpoint back. @param restUntil when one that rests without a message of its own is tried again */
export async function releaseEndpoint(
  on: Queryable,
  lease: Lease,
  { now, restUntil }: { readonly now: Date; readonly restUntil: Date | undefined },
): Promise<void> {
  const { id, waiting, failures } = webhookEndpoints;
  const own = sql`${webhookMessages.endpointId} = ${id}`;
  const oldest = sql`(select next_at from ${webhookMessages} where ${own} order by ${webhookMessages.seq}, ${webhookMessages.messageId} limit 1)`;
  const earliest = sql`(select min(next_at) from ${webhookMessages} where ${own})`;
  const rest = restUntil ? instantSql(restUntil) : sql`null::timestamptz`;
  await on
    .update(webhookEndpoints)
    .set({
      leaseUntil: now,
      leaseOwner: null,
      dueAt: sql`case
        when ${failures} >= ${failuresBeforeRest} then coalesce(${oldest}, case when ${waiting} > 0 then ${rest} end)
        when ${waiting} > 0 then 'epoch'::timestamptz
        else ${earliest} end`,
    })
    .where(isOurs(lease));
}

/** An endpoint whose waiting messages are not counted up to the end of the log. */
export type Uncounted = Pick<WebhookEndpoint, "id" | "clientId" | "types" | "counted">;

/** Those that are behind the end of the log, the newest first. */
export const listUncounted = (on: Queryable, end: number, limit: number): Promise<Uncounted[]> =>
  on
    .select({
      id: webhookEndpoints.id,
      clientId: webhookEndpoints.clientId,
      types: webhookEndpoints.types,
      counted: webhookEndpoints.counted,
    })
    .from(webhookEndpoints)
    .innerJoin(applications, eq(applications.clientId, webhookEndpoints.clientId))
    .where(and(isEnabled, lt(webhookEndpoints.counted, end), isAlive))
    .orderBy(desc(webhookEndpoints.counted))
    .limit(limit);

/**
 * Adds what was found in a stretch to what waits, for all endpoints in one statement. Those for which nothing waits are moved to its end.
 * @returns how many wait for each that has more than `most`
 */
export async function addWaiting(
  on: Queryable,
  found: readonly { readonly id: string; readonly n: number }[],
  {
    from,
    reached,
    most,
  }: { readonly from: number; readonly reached: number; readonly most: number },
): Promise<string[]> {
  const { id, seq, counted, waiting, dueAt, failures } = webhookEndpoints;
  const n = sql.raw("found.n");
  const rows = await on
    .update(webhookEndpoints)
    .set({
      counted: reached,
      waiting: sql`${waiting} + ${n}`,
      seq: sql`case when ${waiting} + ${n} = 0 then greatest(${seq}, ${reached}::bigint) else ${seq} end`,
      dueAt: sql`case when ${n} > 0 and (${failures} < ${failuresBeforeRest} or ${dueAt} is null) then 'epoch'::timestamptz else ${dueAt} end`,
    })
    .from(sql`json_to_recordset(${JSON.stringify(found)}::json) as found (id uuid, n int)`)
    .where(and(sql`${id} = found.id`, eq(counted, from), isEnabled))
    .returning({ id: webhookEndpoints.id, waiting: webhookEndpoints.waiting });
  return rows.filter((row) => row.waiting > most).map((row) => row.id);
}
