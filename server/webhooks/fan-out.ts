import { z } from "zod";
import type { Queryable } from "#db/client";
import { backgroundContextOf, type Context } from "#server/context";
import {
  advanceLogReader,
  findReaderPosition,
  type LoggedEvent,
  readEventsBySeq,
  readLogEnd,
} from "#server/event-log/read-log";
import { readLogBounds } from "#server/event-log/retention";
import { writeEventCursor } from "#server/events/cursor";
import { eventRecordOf, publicId } from "#server/events/event-record";
import { filterVisible, type VisibleEvent } from "#server/events/visible-events";
import { readNoticeBodies } from "#server/notices/notices";
import { isUuid } from "#server/platform/ids";
import {
  type Delivery,
  dropDeliveries,
  listEndpointsWithExpired,
  type Message,
  type NewDelivery,
  upsertDeliveries,
} from "./delivery-store";
import type { WebhookEndpoint } from "./endpoint";
import {
  listReceivingEndpoints,
  lockEndpointById,
  lockEndpoints,
  type ReceivingEndpoint,
} from "./endpoint-store";
import { alwaysSent, eventsGap } from "./events";

export const isChosen = ({ types }: Pick<ReceivingEndpoint, "types">, type: string): boolean =>
  alwaysSent.includes(type) || types.includes(type);

export const messageOf = ({ event, reader }: VisibleEvent): Message => ({
  messageId: publicId(event.id, reader),
  seq: event.seq,
  type: event.type,
  playerId: reader?.playerId ?? event.playerId,
});

/** Creates one delivery per new event, endpoint and entitled player. */
export const fanOut = (ctx: Context): Promise<number> =>
  advanceLogReader(backgroundContextOf(ctx), {
    name: webhookReaderName,
    memory: z.null(),
    first: null,
    // Starting anywhere is safe, because each endpoint's own `seq` limits its events.
    fromStart: true,
    read: async (tx, page) => {
      await fanOutPage(ctx, tx, page);
      return null;
    },
  });

async function fanOutPage(ctx: Context, tx: Queryable, page: readonly LoggedEvent[]) {
  const last = page.at(-1);
  const found = last ? await listReceivingEndpoints(tx) : [];
  if (!last || found.length === 0) return;
  const clientIds = [...new Set(found.flatMap(({ clientId }) => clientId ?? []))];
  const players = found.flatMap(({ playerId }) => playerId ?? []);
  const visible = await filterVisible(tx, page, {
    readers: { clientIds, players },
    now: ctx.now(),
  });
  const deliveries = deliveriesOf(found, visible);
  // The developer may have changed an endpoint since it was listed.
  const locked = await lockEndpoints(tx, [...deliveries.keys()]);
  const endpoints = new Map(locked.filter(takesMore).map((each) => [each.id, each]));
  const still = [...endpoints.values()].flatMap((endpoint) =>
    (deliveries.get(endpoint.id) ?? []).filter(({ seq }) => seq > endpoint.seq),
  );
  for (const [id, waiting] of await upsertDeliveries(tx, still)) {
    const endpoint = endpoints.get(id);
    if (waiting > mostWaiting && endpoint?.state === "enabled")
      await replaceByGap(ctx, tx, endpoint, last.seq);
  }
}

/** A full endpoint that is off takes no events, and gets a gap later. Call it under the lock. */
const takesMore = ({ state, waiting }: WebhookEndpoint): boolean =>
  state === "enabled" || waiting <= mostWaiting;

/** A player's grants on several devices share one delivery. */
function deliveriesOf(
  endpoints: readonly ReceivingEndpoint[],
  visible: readonly VisibleEvent[],
): Map<string, NewDelivery[]> {
  const byReader = Map.groupBy(visible, ({ event, reader }) => reader?.clientId ?? event.playerId);
  const deliveries = new Map<string, NewDelivery[]>();
  for (const endpoint of endpoints) {
    const { clientId, playerId } = endpoint;
    const readers = clientId === null ? [playerId] : [null, clientId];
    const own = readers
      .flatMap((reader) => byReader.get(reader) ?? [])
      .filter(({ event }) => event.seq > endpoint.seq && isChosen(endpoint, event.type))
      .sort((one, other) => one.event.seq - other.event.seq);
    const byId = new Map<string, NewDelivery>();
    for (const each of own) {
      const message = messageOf(each);
      if (!byId.has(message.messageId))
        byId.set(message.messageId, { endpointId: endpoint.id, ...message });
    }
    if (byId.size > 0) deliveries.set(endpoint.id, [...byId.values()]);
  }
  return deliveries;
}

/** If more deliveries wait for an endpoint, one gap replaces them. */
export const mostWaiting = 10_000;

export const webhookReaderName = "webhooks";

type EndpointKey = Pick<WebhookEndpoint, "id" | "clientId">;

/**
 * The caller holds the endpoint's lock. An account's own endpoint gets no gap, because notices are
 * in no list of events.
 */
async function replaceByGap(
  ctx: Context,
  tx: Queryable,
  { id: endpointId, clientId }: EndpointKey,
  until: number,
): Promise<void> {
  const after = await dropDeliveries(tx, endpointId, until);
  if (after === undefined) return;
  if (clientId !== null) {
    const now = ctx.now();
    const { epoch } = await readLogEnd(tx);
    const cursorAt = (seq: number) => writeEventCursor(ctx, clientId, { epoch, seq });
    const messageId = `evt_${ctx.ids.text(gapIdBytes)}`;
    const { type, subject: kind, changed } = eventsGap;
    const body = JSON.stringify({
      id: messageId,
      type,
      timestamp: now.toISOString(),
      cursor: cursorAt(until),
      data: {
        subject: { kind, id: endpointId },
        revision: now.getTime() * 1_000,
        changed,
        after: cursorAt(after),
        until: cursorAt(until),
      },
    });
    const about = { endpointId, messageId, seq: until, gapAfter: after, playerId: null };
    await upsertDeliveries(tx, [{ ...about, type, body }]);
  }
  ctx.log.warn(
    { endpointId, clientId },
    "events that waited for a webhook endpoint were replaced by a gap",
  );
}

const gapIdBytes = 16;

/** The caller holds the endpoint's lock. */
export async function replaceExcessByGap(
  ctx: Context,
  tx: Queryable,
  endpoint: EndpointKey & { readonly waiting: number },
): Promise<void> {
  if (endpoint.waiting <= mostWaiting) return;
  await replaceByGap(ctx, tx, endpoint, await findReaderPosition(tx, webhookReaderName));
}

/** Events past the retention have lost their bodies, so a gap replaces them. */
export async function replaceExpiredByGap(ctx: Context): Promise<number> {
  const { oldest } = await readLogBounds(ctx, ctx.database.query);
  const expired = await listEndpointsWithExpired(ctx.database.query, oldest, mostWaiting);
  for (const id of expired)
    await ctx.database.transaction(async (tx) => {
      const endpoint = await lockEndpointById(tx, id);
      if (endpoint) await replaceByGap(ctx, tx, endpoint, oldest);
    });
  return expired.length;
}

/** Keyed by delivery id, without ended consents and deleted notices. */
export async function readVisibleBodies(
  ctx: Context,
  on: Queryable,
  deliveries: readonly (Pick<Delivery, "id" | "messageId" | "seq" | "playerId" | "type" | "body"> &
    Pick<WebhookEndpoint, "clientId" | "accountId">)[],
): Promise<ReadonlyMap<number, string>> {
  const bodies = new Map<number, string>();
  const ofEvents = deliveries.filter(({ type }) => type !== eventsGap.type);
  for (const { id, type, body } of deliveries)
    if (type === eventsGap.type && body !== null) bodies.set(id, body);
  if (ofEvents.length === 0) return bodies;
  const seqs = [...new Set(ofEvents.map(({ seq }) => seq))];
  const [events, { epoch }] = await Promise.all([readEventsBySeq(on, seqs), readLogEnd(on)]);
  const clientIds = [...new Set(ofEvents.flatMap(({ clientId }) => clientId ?? []))];
  const visible = await filterVisible(on, events, { readers: { clientIds }, now: ctx.now() });
  const keyOf = (seq: number, clientId: string | null, playerId: number | null) =>
    `${seq} ${playerId === null ? "" : clientId} ${playerId}`;
  const byKey = new Map(
    visible.map((each) => [
      keyOf(each.event.seq, each.reader?.clientId ?? null, each.reader?.playerId ?? null),
      each,
    ]),
  );
  const subjects = new Map(events.map(({ seq, subject }) => [seq, subject]));
  const own = ofEvents.flatMap(({ accountId, ...each }) => {
    const noticeId = subjects.get(each.seq) ?? "";
    return accountId !== null && isUuid(noticeId) ? [{ ...each, accountId, noticeId }] : [];
  });
  for (const [id, text] of await readNoticeBodies(ctx, on, own)) bodies.set(id, text);
  for (const { id, seq, playerId, clientId, body } of ofEvents) {
    if (clientId === null) continue;
    const found = byKey.get(keyOf(seq, clientId, playerId));
    const text = found && (body ?? JSON.stringify(eventRecordOf(ctx, found, { clientId, epoch })));
    if (text !== undefined) bodies.set(id, text);
  }
  return bodies;
}
