import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { readLogAt, readLogEnd } from "#server/event-log/read-log";
import { eventRecord } from "#server/events/event-record";
import { visibleOf } from "#server/events/visible-events";
import type { Delivery } from "./delivery-store";
import { eventsGap } from "./events";

/** Bodies by delivery id, as far as consents allow now. A gap is always allowed. */
export async function visibleBodies(
  ctx: Context,
  on: Queryable,
  deliveries: readonly (Pick<Delivery, "id" | "seq" | "playerId" | "type" | "body"> & {
    readonly clientId: string;
  })[],
): Promise<ReadonlyMap<number, string>> {
  const bodies = new Map<number, string>();
  const ofEvents = deliveries.filter(({ type }) => type !== eventsGap.type);
  for (const { id, type, body } of deliveries)
    if (type === eventsGap.type && body !== null) bodies.set(id, body);
  if (ofEvents.length === 0) return bodies;
  const seqs = [...new Set(ofEvents.map(({ seq }) => seq))];
  const [events, { epoch }] = await Promise.all([readLogAt(on, seqs), readLogEnd(on)]);
  const clientIds = [...new Set(ofEvents.map(({ clientId }) => clientId))];
  const visible = await visibleOf(on, events, { readers: { clientIds }, now: ctx.now() });
  const keyOf = (seq: number, clientId: string | null, playerId: number | null) =>
    `${seq} ${playerId === null ? "" : clientId} ${playerId}`;
  const byKey = new Map(
    visible.map((each) => [
      keyOf(each.event.seq, each.reader?.clientId ?? null, each.reader?.playerId ?? null),
      each,
    ]),
  );
  for (const { id, seq, playerId, clientId, body } of ofEvents) {
    const found = byKey.get(keyOf(seq, clientId, playerId));
    const text = found && (body ?? JSON.stringify(eventRecord(ctx, found, { clientId, epoch })));
    if (text !== undefined) bodies.set(id, text);
  }
  return bodies;
}
