import {
  and,
  countDistinct,
  eq,
  inArray,
  isNotNull,
  lte,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { instantSql } from "#db/request-time";
import { applications } from "#db/schema/oauth";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import { claimRows, isLeased } from "#server/work/leases";
import { bounds, chooseEndpoints, countHeld, type Due, type Held } from "./choose-deliveries";
import { type Delivery, deliveryWork, isResting, setDue } from "./delivery-store";
import { isSending } from "./endpoint-store";

/** Serialises claims, so that each process sees the others' requests in flight. */
const inTurn = sql`select pg_advisory_xact_lock(hashtextextended('webhook deliveries', 0))`;

/** Deliveries of one endpoint per claim, to save queries. */
const mostTogether = 50;

export interface ClaimedDeliveries {
  readonly deliveries: readonly Delivery[];
  readonly requests: number;
}

/**
 * Within the bounds and this process's places.
 * @returns claims by endpoint, and the next due time; null if nothing waits
 */
export async function claimDeliveries(
  database: Pick<Database, "transaction" | "query">,
  of: { now: Date; room: { fast: number; slow: number } },
): Promise<{ claimed: ClaimedDeliveries[]; dueAt: Date | null }> {
  const { now, room } = of;
  // Usually nothing is due, and no lock is needed to see that.
  const dueAt = await findDueAt(database.query, sql`true`);
  if (!dueAt || dueAt > now || (room.fast <= 0 && room.slow <= 0)) return { claimed: [], dueAt };
  return database.transaction(async (tx) => {
    await tx.execute(inTurn);
    const held = await listHeld(tx);
    const chosen = chooseEndpoints(held, await listDue(tx, { held, now, room }), room);
    if (chosen.size === 0)
      return { claimed: [], dueAt: await findDueAt(tx, sql`due_at > ${instantSql(now)}`) };
    const ids = await listNext(tx, chosen, now);
    const rows = sql`select id from ${webhookDeliveries}
      where id = any(string_to_array(${ids.join(",")}, ',')::bigint[]) for update skip locked`;
    const found = await claimRows(tx, deliveryWork, rows);
    const order = new Map(ids.map((id, place) => [id, place]));
    found.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
    const byEndpoint = new Map<string, Delivery[]>();
    for (const each of found) {
      const list = byEndpoint.get(each.endpointId);
      if (list) list.push(each);
      else byEndpoint.set(each.endpointId, [each]);
    }
    await setDue(
      tx,
      [...chosen.keys()].filter((id) => !byEndpoint.has(id)),
    );
    return {
      claimed: [...byEndpoint].map(([id, deliveries]) => ({
        deliveries,
        requests: Math.min(
          chosen.get(id) ?? 1,
          new Set(deliveries.map((each) => each.playerId ?? -each.id)).size,
        ),
      })),
      dueAt,
    };
  });
}

async function findDueAt(on: Queryable, which: SQL): Promise<Date | null> {
  const { dueAt, state } = webhookEndpoints;
  const [row] = await on
    .select({ dueAt })
    .from(webhookEndpoints)
    .where(and(eq(state, "enabled"), sql`${dueAt} is not null`, which))
    .orderBy(dueAt)
    .limit(1);
  return row?.dueAt ?? null;
}

const bounded = {
  endpointId: webhookEndpoints.id,
  clientId: webhookEndpoints.clientId,
  host: sql<string>`split_part(split_part(${webhookEndpoints.url}, '/', 3), ':', 1)`,
  slow: webhookEndpoints.slow,
};

const listHeld = (on: Queryable): Promise<Held[]> =>
  on
    .select({
      ...bounded,
      // A player's deliveries are sent one at a time.
      requests: countDistinct(
        sql`coalesce(${webhookDeliveries.playerId}, -${webhookDeliveries.id})`,
      ),
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(sql`${webhookDeliveries.leaseUntil} is not null`, isLeased(webhookDeliveries.leaseUntil)),
    )
    .groupBy(webhookEndpoints.id);

const endpointsAtOnce = 500;

function listDue(
  on: Queryable,
  { held, now, room }: { held: readonly Held[]; now: Date; room: { fast: number; slow: number } },
): Promise<Due[]> {
  const { dueAt, lastFailureAt, lastSuccessAt, paceMs, slow, waiting } = webhookEndpoints;
  const { endpointId, clientId, host } = bounded;
  const { full } = countHeld(held);
  const slowIsFull = or(
    room.slow <= 0 ? sql`true` : undefined,
    inArray(clientId, full("slowApplication")),
    inArray(host, full("slowHost")),
  );
  const busy = held.map((one) => one.endpointId);
  return on
    .select({ ...bounded, waiting, alone: sql<boolean>`${isResting} or ${paceMs} is not null` })
    .from(webhookEndpoints)
    .innerJoin(applications, eq(applications.clientId, clientId))
    .where(
      and(
        ...[isSending, lte(dueAt, now), notInArray(endpointId, busy)],
        // Endpoints at a bound would otherwise come first.
        ...[notInArray(clientId, full("application")), notInArray(host, full("host"))],
        ...[not(sql`(${slow} and ${slowIsFull})`), room.fast <= 0 ? slow : undefined],
      ),
    )
    .orderBy(sql`greatest(${lastSuccessAt}, ${lastFailureAt}) nulls first`)
    .limit(endpointsAtOnce);
}

/** The next deliveries of endpoints: those to be tried again first, then in the order of the log. @returns their ids in this order */
async function listNext(on: Queryable, chosen: ReadonlyMap<string, number>, now: Date) {
  // Other processes count the players of what is claimed: one request is one delivery.
  const singles = [...chosen].flatMap(([id, requests]) => (requests === 1 ? [id] : []));
  const { id: endpointId, failedTypes, failures, paceMs, probeAt, slow } = webhookEndpoints;
  const { seq, id, nextAt, type } = webhookDeliveries;
  const some = (which: SQL, order: SQL, again: boolean, most: SQL) =>
    sql`(select ${id} as id, ${again}::boolean as again, ${nextAt} as next_at, ${seq} as seq
      from ${webhookDeliveries} where ${webhookDeliveries.endpointId} = ${endpointId} and ${which}
      order by ${order} limit ${most})`;
  const atOnce = sql`${nextAt} = 'epoch'`;
  const inOrder = sql`${nextAt}, ${seq}, ${id}`;
  // Every fourth probe is a delivery that was not tried yet: a receiver may refuse the oldest for ever.
  const isProbed = sql`${isResting} and ${probeAt} <= ${instantSql(now)}`;
  const isSingle = or(isNotNull(paceMs), inArray(endpointId, singles));
  const most = sql`case when ${isSingle} then 1 when ${slow} then ${bounds.endpoint}::int else ${mostTogether}::int end`;
  const next = sql`(
    ${some(sql`not ${isResting} and ${nextAt} > 'epoch' and ${nextAt} <= ${instantSql(now)}`, inOrder, true, most)}
    union all ${some(sql`not ${isResting} and ${atOnce}`, inOrder, false, most)}
    union all ${some(sql`${isResting} and ${atOnce} and ${type} <> all(${failedTypes})`, sql`${seq}, ${id}`, true, sql`1`)}
    union all ${some(sql`${isProbed} and ${failures} % 4 <> 3`, sql`${seq}, ${id}`, false, sql`1`)}
    union all ${some(sql`${isProbed} and ${failures} % 4 = 3`, inOrder, false, sql`1`)}
    order by again desc, next_at, seq, id limit case when ${isResting} then 1 else ${most} end
  ) as next`;
  const rows = await on
    .select({ id: sql`next.id`.mapWith(Number) })
    .from(webhookEndpoints)
    .innerJoinLateral(next, sql`true`)
    .where(inArray(endpointId, [...chosen.keys()]))
    .orderBy(sql`next.again desc`, sql`next.next_at`, sql`next.seq`, sql`next.id`);
  return rows.map((row) => row.id);
}
