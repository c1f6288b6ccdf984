import { and, eq, inArray, lte, not, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Database, Queryable } from "#db/client";
import { instantSql } from "#db/expressions";
import { accounts } from "#db/schema/accounts";
import { applications } from "#db/schema/oauth";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks";
import { claimRows, isLeased } from "#server/work/leases";
import { type Delivery, deliveryWorkTable, isResting, refreshDueAt } from "./delivery-store";
import { accountJoin, applicationJoin, isSending, lockEndpoints } from "./endpoint-store";

/** Most concurrent requests over all processes. */
export const sharedConcurrency = {
  endpoint: 2,
  application: 4,
  /** Many endpoints at one host must not become an attack on it. */
  host: 8,
  /** Slow endpoints get at most half, so that fast ones keep a place. */
  slowApplication: 2,
  slowHost: 4,
};

/** Most concurrent requests per process. */
export const processConcurrency = {
  /** For endpoints that answer within a second. */
  fast: 200,
  slow: 50,
  /** Bounds the total, because a request that turns slow frees a fast place. */
  all: 500,
};
type Room = Readonly<Record<"fast" | "slow", number>>;

/** Most deliveries of an endpoint in one claim, which saves queries. */
const mostTogether = 50;
/** Most deliveries of a process, which reads all their consents several times a second. */
const mostHeld = 1_000;

/** Serialises claims, so that each process sees the requests in flight of all processes. */
const inTurn = sql`select pg_advisory_xact_lock(hashtextextended('webhook deliveries', 0))`;

/**
 * Claims within `sharedConcurrency` and this process's free places (`room`).
 * @returns claims by endpoint, and the next due time; null if nothing waits
 */
export async function claimDeliveries(
  database: Pick<Database, "transaction" | "query">,
  of: { now: Date; room: Room; held: number },
) {
  const { now, room } = of;
  // Checked before the lock is taken, because usually nothing is due.
  const dueAt = await findDueAt(database.query, sql`true`);
  if (!dueAt || dueAt > now || (room.fast <= 0 && room.slow <= 0)) return { claimed: [], dueAt };
  const { chosen, found } = await database.transaction(async (tx) => {
    await tx.execute(inTurn);
    const held = await listHeld(tx);
    const chosen = allocateRequests(held, await listDue(tx, { held, now, room }), room);
    const each = Math.floor((mostHeld - of.held) / chosen.size);
    const most = Math.max(1, Math.min(mostTogether, each));
    const found = chosen.size > 0 ? await claimNext(tx, { chosen, most, now }) : [];
    return { chosen, found };
  });
  if (chosen.size === 0)
    return {
      claimed: [],
      dueAt: await findDueAt(database.query, sql`due_at > ${instantSql(now)}`),
    };
  const claimed = [...chosen].map(([id, requests]) => {
    const deliveries = found.filter(({ endpointId }) => endpointId === id);
    const players = new Set(deliveries.map((one) => one.playerId ?? -one.id));
    return { id, deliveries, requests: Math.min(requests, players.size) };
  });
  // These endpoints' deliveries are gone or locked, so their due times are out of date.
  const others = claimed.flatMap(({ id, deliveries }) => (deliveries.length > 0 ? [] : [id]));
  if (others.length > 0)
    await database.transaction(async (tx) => {
      await lockEndpoints(tx, others);
      await refreshDueAt(tx, others);
    });
  return { claimed, dueAt };
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

interface Bounded {
  readonly endpointId: string;
  readonly clientId: string;
  readonly host: string;
  /** The last or current request takes longer than a second. */
  readonly slow: boolean;
}

/** `requests`: most concurrent requests of the claim. */
export type HeldEndpoint = Bounded & { readonly requests: number };

/** `alone`: one request at a time, because the endpoint rests or asked us to slow down. */
export type DueEndpoint = Bounded & { readonly alone: boolean; readonly waiting: number };

const bounded = {
  endpointId: webhookEndpoints.id,
  // For the bounds, an account counts as an application.
  clientId: sql<string>`coalesce(${webhookEndpoints.clientId}, ${webhookEndpoints.accountId}::text)`,
  host: sql<string>`split_part(split_part(${webhookEndpoints.url}, '/', 3), ':', 1)`,
  slow: webhookEndpoints.slow,
};

const listHeld = (on: Queryable): Promise<HeldEndpoint[]> =>
  on
    .select({
      ...bounded,
      // A player's deliveries are sent one at a time, so fewer players mean fewer requests.
      requests: sql`least(max(${webhookDeliveries.requests}),
        count(distinct coalesce(${webhookDeliveries.playerId}, -${webhookDeliveries.id})))`.mapWith(
        Number,
      ),
    })
    .from(webhookDeliveries)
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(
      and(sql`${webhookDeliveries.leaseUntil} is not null`, isLeased(webhookDeliveries.leaseUntil)),
    )
    .groupBy(webhookEndpoints.id);

const endpointsAtOnce = 500;

/** Skips endpoints with a request in flight. Least recently answered first. */
function listDue(
  on: Queryable,
  { held, now, room }: { held: readonly HeldEndpoint[]; now: Date; room: Room },
): Promise<DueEndpoint[]> {
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
    .leftJoin(applications, applicationJoin)
    .leftJoin(accounts, accountJoin)
    .where(
      and(
        isSending,
        lte(dueAt, now),
        notInArray(endpointId, busy),
        // Endpoints at a bound cannot be claimed, and must not fill the page.
        notInArray(clientId, full("application")),
        notInArray(host, full("host")),
        not(sql`(${slow} and ${slowIsFull})`),
        room.fast <= 0 ? slow : undefined,
      ),
    )
    .orderBy(sql`greatest(${lastSuccessAt}, ${lastFailureAt}) nulls first`)
    .limit(endpointsAtOnce);
}

type Shared = Exclude<keyof typeof sharedConcurrency, "endpoint">;

function countHeld(held: readonly HeldEndpoint[]) {
  const counts = new Map<string, number>();
  const keysOf = ({ clientId, host, slow }: Bounded): (readonly [Shared, string])[] => [
    ["application", clientId],
    ["host", host],
    ...(slow
      ? ([
          ["slowApplication", clientId],
          ["slowHost", host],
        ] as const)
      : []),
  ];
  const countOf = (bound: Shared, key: string) => counts.get(`${bound} ${key}`) ?? 0;
  const add = (one: Bounded, requests: number) => {
    for (const [bound, key] of keysOf(one))
      counts.set(`${bound} ${key}`, countOf(bound, key) + requests);
  };
  for (const one of held) add(one, one.requests);
  return {
    add,
    isFull: (one: Bounded) =>
      keysOf(one).some(([bound, key]) => countOf(bound, key) >= sharedConcurrency[bound]),
    full: (bound: Shared) =>
      [...counts].flatMap(([name, count]) =>
        name.startsWith(`${bound} `) && count >= sharedConcurrency[bound]
          ? [name.slice(bound.length + 1)]
          : [],
      ),
  };
}

/**
 * Round-robin: in each round every application gets one request, within the bounds.
 * @returns most concurrent requests by endpoint id
 */
export function allocateRequests(
  held: readonly HeldEndpoint[],
  due: readonly DueEndpoint[],
  room: Room,
): ReadonlyMap<string, number> {
  const counts = countHeld(held);
  const chosen = new Map<string, number>();
  const free = { ...room };
  const most = ({ alone, waiting }: DueEndpoint) =>
    alone ? 1 : Math.min(waiting, sharedConcurrency.endpoint);
  let left = [...due];
  while (left.length > 0) {
    const served = new Set<string>();
    const [waits, begun]: [DueEndpoint[], DueEndpoint[]] = [[], []];
    for (const one of left) {
      const place = one.slow ? "slow" : "fast";
      const requests = chosen.get(one.endpointId) ?? 0;
      if (requests >= most(one) || free[place] <= 0 || counts.isFull(one)) continue;
      if (served.has(one.clientId)) waits.push(one);
      else {
        served.add(one.clientId);
        free[place] -= 1;
        counts.add(one, 1);
        chosen.set(one.endpointId, requests + 1);
        begun.push(one);
      }
    }
    // In the next round, an application's endpoints without a request come first.
    left = [...waits, ...begun];
  }
  return chosen;
}

interface Chosen {
  /** Concurrent requests by endpoint id. */
  readonly chosen: ReadonlyMap<string, number>;
  /** Most deliveries per endpoint. */
  readonly most: number;
  readonly now: Date;
}

async function claimNext(tx: Queryable, of: Chosen): Promise<Delivery[]> {
  const ids = await listNext(tx, of);
  const rows = sql`select id from ${webhookDeliveries}
    where id = any(string_to_array(${ids.join(",")}, ',')::bigint[]) for update skip locked`;
  const requests = sql`(select chosen.requests from ${rowsOf(of)}
    where chosen.id = ${webhookDeliveries.endpointId})`;
  const found = await claimRows(tx, deliveryWorkTable, rows, { requests });
  const order = new Map(ids.map((id, place) => [id, place]));
  return found.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
}

const rowsOf = ({ chosen }: Chosen): SQL => {
  const rows = [...chosen].map(([id, requests]) => ({ id, requests }));
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as chosen (id uuid, requests int)`;
};

/** @returns delivery ids: retries first, then in log order */
async function listNext(on: Queryable, of: Chosen): Promise<number[]> {
  const { now } = of;
  const { id: endpointId, failedTypes, failures, paceMs, probeAt, slow } = webhookEndpoints;
  const { seq, id, nextAt, type } = webhookDeliveries;
  const some = (which: SQL, order: SQL, again: boolean, most: SQL) =>
    sql`(select ${id} as id, ${again}::boolean as again, ${nextAt} as next_at, ${seq} as seq
      from ${webhookDeliveries} where ${webhookDeliveries.endpointId} = ${endpointId} and ${which}
      order by ${order} limit ${most})`;
  const atOnce = sql`${nextAt} = 'epoch'`;
  const inOrder = sql`${nextAt}, ${seq}, ${id}`;
  // Every fourth probe is an untried delivery, because a receiver may refuse the oldest for ever.
  const isProbed = sql`${isResting} and ${probeAt} <= ${instantSql(now)}`;
  const most = sql`case when ${paceMs} is not null then 1 when ${slow} then chosen.requests else ${of.most}::int end`;
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
    .innerJoin(rowsOf(of), eq(endpointId, sql`chosen.id`))
    .innerJoinLateral(next, sql`true`)
    .orderBy(sql`next.again desc`, sql`next.next_at`, sql`next.seq`, sql`next.id`);
  return rows.map((row) => row.id);
}
