import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { readLogEnd } from "#server/event-log/read-log";
import { readLogBounds } from "#server/event-log/retention";
import { writeEventCursor } from "#server/events/cursor";
import { type VisibleEvent, visibleTo } from "#server/events/visible-events";
import { secondMs } from "#server/platform/time";
import { dueAtOnce, type WebhookEndpoint } from "./endpoint";
import { countBacklog, lockEndpointById, updateEndpoint } from "./endpoint-store";
import { eventsGap } from "./events";
import { addWaiting, listUncounted, type Uncounted } from "./lease-store";
import { countMessages, deleteMessages, findOldestMessage, queueMessages } from "./message-store";
import { isChosen } from "./messages";

const eventsAtOnce = 500;
const endpointsAtOnce = 10_000;
/** Endpoints that are behind must not keep the others waiting. */
const groupsAtOnce = 5;
/** More waiting messages of an endpoint than this are replaced by one notice of a gap. */
export const mostWaiting = 10_000;

/**
 * Finds out which endpoints have new events waiting. Those for which nothing happened, nearly all, are moved on together.
 * @returns whether the end of the log was not reached
 */
export async function countWaiting(ctx: Context): Promise<boolean> {
  const on = ctx.database.background.query;
  const { seq: end } = await readLogEnd(on);
  const behind = await listUncounted(on, end, endpointsAtOnce);
  const byPosition = new Map<number, Uncounted[]>();
  for (const endpoint of behind) {
    const group = byPosition.get(endpoint.counted);
    if (group) group.push(endpoint);
    else byPosition.set(endpoint.counted, [endpoint]);
  }
  let [until, more] = [end, byPosition.size > groupsAtOnce];
  for (const [after, group] of [...byPosition].slice(0, groupsAtOnce)) {
    const clientIds = [...new Set(group.map(({ clientId }) => clientId))];
    const of = { readers: { clientIds }, limit: eventsAtOnce, now: ctx.now() };
    const { visible, reached } = await visibleTo(on, { after, until }, of);
    const told = countsOf(visible);
    const counts = group.map((endpoint) => ({ id: endpoint.id, n: told(endpoint) }));
    const full = await addWaiting(on, counts, { from: after, reached, most: mostWaiting });
    for (const endpointId of full) await endWaiting(ctx, endpointId, mostWaiting);
    if (reached < end) more = true;
    until = after;
  }
  return more;
}

/** How many of these messages an endpoint is sent: one of each event for each player who may be told. */
function countsOf(visible: readonly VisibleEvent[]): (endpoint: Uncounted) => number {
  const everybodys = visible.filter(({ reader }) => reader === null);
  const byClient = new Map<string, VisibleEvent[]>();
  for (const each of visible) {
    if (each.reader === null) continue;
    const list = byClient.get(each.reader.clientId);
    if (list) list.push(each);
    else byClient.set(each.reader.clientId, [each]);
  }
  return (endpoint) => {
    const own = [...everybodys, ...(byClient.get(endpoint.clientId) ?? [])];
    const chosen = own.filter(({ event }) => isChosen(endpoint, event.type));
    return new Set(chosen.map(({ event, reader }) => `${event.seq} ${reader?.playerId ?? ""}`))
      .size;
  };
}

/**
 * Puts one gap in the place of everything that waits for an endpoint, where that is more than `most`. The worker that has it loses it.
 * @returns whether that was so
 */
export const endWaiting = (ctx: Context, endpointId: string, most: number): Promise<boolean> =>
  ctx.database.background.transaction(async (tx) => {
    const endpoint = await lockEndpointById(tx, endpointId);
    if (!endpoint) return false;
    const { seq, counted, waiting } = endpoint;
    const stored = (await countMessages(tx, [endpointId])).get(endpointId) ?? 0;
    if (waiting + stored <= most) return false;
    const oldest = await findOldestMessage(tx, endpointId);
    const after = Math.min(seq, oldest ? oldest.seq - 1 : seq);
    await deleteMessages(tx, endpointId);
    await queueGap(ctx, tx, endpoint, { after, until: counted });
    await updateEndpoint(tx, endpointId, {
      seq: counted,
      waiting: 0,
      ...(endpoint.failures === 0 && { dueAt: dueAtOnce }),
    });
    ctx.log.warn(
      { endpointId, clientId: endpoint.clientId, waiting: waiting + stored },
      "too many events waited for a webhook endpoint: it is told of a gap",
    );
    return true;
  });

/** The number from which an endpoint that stood still goes on. Events that the log does not hold any more become a gap. */
export async function startingPoint(
  ctx: Context,
  tx: Queryable,
  endpoint: WebhookEndpoint,
): Promise<number> {
  const { oldest } = await readLogBounds(ctx, tx);
  if (endpoint.seq >= oldest) return endpoint.seq;
  await queueGap(ctx, tx, endpoint, { after: endpoint.seq, until: oldest });
  return oldest;
}

/** Numbers of the log that are not sent one by one: after the first, up to the second. */
interface Gap {
  readonly after: number;
  readonly until: number;
}

const gapIdBytes = 16;

/** Queues the notice of a gap, in the caller's transaction. */
async function queueGap(
  ctx: Context,
  tx: Queryable,
  { id, clientId }: Pick<WebhookEndpoint, "id" | "clientId">,
  gap: Gap,
): Promise<void> {
  const now = ctx.now();
  const { epoch } = await readLogEnd(tx);
  const cursorAt = (seq: number) => writeEventCursor(ctx, clientId, { epoch, seq });
  const messageId = `evt_${ctx.ids.text(gapIdBytes)}`;
  const body = JSON.stringify({
    ...{
      id: messageId,
      type: eventsGap.type,
      timestamp: now.toISOString(),
      cursor: cursorAt(gap.until),
    },
    data: {
      subject: { kind: eventsGap.subject, id },
      revision: now.getTime() * 1_000,
      changed: [...eventsGap.changed],
      ...{ after: cursorAt(gap.after), until: cursorAt(gap.until) },
    },
  });
  const about = { endpointId: id, messageId, seq: gap.until, playerId: null };
  await queueMessages(tx, [{ ...about, type: eventsGap.type, body, nextAt: dueAtOnce }]);
}

/** The messages that wait to be sent to endpoints that are switched on. */
export interface WebhookBacklog {
  readonly messages: number;
  /** Endpoints that answered the last attempt with a failure. */
  readonly failing: number;
  /** For how long an endpoint has been due that no process serves; 0 where there is none. */
  readonly lagSeconds: number;
}

/** How far delivery is behind. */
export async function webhookBacklog(ctx: Context): Promise<WebhookBacklog> {
  const now = ctx.now();
  const { messages, failing, dueSince } = await countBacklog(ctx.database.keyPool, now);
  return {
    messages,
    failing,
    lagSeconds: dueSince === null ? 0 : (now.getTime() - dueSince.getTime()) / secondMs,
  };
}
