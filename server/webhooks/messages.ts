import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { readLogAt, readLogEnd } from "#server/event-log/read-log";
import { eventRecord } from "#server/events/event-record";
import { visibleOf } from "#server/events/visible-events";
import { noticeMessages } from "#server/notices/notice-message";
import { isUuid } from "#server/platform/ids";
import type { Delivery } from "./delivery-store";
import type { WebhookEndpoint } from "./endpoint";
import { eventsGap } from "./events";

/**
 * Bodies by delivery id, as far as consents allow now, and notices exist. A gap is always allowed.
 */
export async function visibleBodies(
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
  const [events, { epoch }] = await Promise.all([readLogAt(on, seqs), readLogEnd(on)]);
  const clientIds = [...new Set(ofEvents.flatMap(({ clientId }) => clientId ?? []))];
  const visible = await visibleOf(on, events, { readers: { clientIds }, now: ctx.now() });
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
  for (const [id, text] of await noticeMessages(ctx, on, own)) bodies.set(id, text);
  for (const { id, seq, playerId, clientId, body } of ofEvents) {
    if (clientId === null) continue;
    const found = byKey.get(keyOf(seq, clientId, playerId));
    const text = found && (body ?? JSON.stringify(eventRecord(ctx, found, { clientId, epoch })));
    if (text !== undefined) bodies.set(id, text);
  }
  return bodies;
}
