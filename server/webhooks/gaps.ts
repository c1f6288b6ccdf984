import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { readerPosition, readLogEnd } from "#server/event-log/read-log";
import { readLogBounds } from "#server/event-log/retention";
import { writeEventCursor } from "#server/events/cursor";
import { dropDeliveries, listExpired, type NewDelivery, putDeliveries } from "./delivery-store";
import type { WebhookEndpoint } from "./endpoint";
import { lockEndpointById } from "./endpoint-store";
import { eventsGap } from "./events";

/** More waiting deliveries per endpoint become one gap. */
export const mostWaiting = 10_000;

export const webhookReader = "webhooks";

type EndpointKey = Pick<WebhookEndpoint, "id" | "clientId">;

/**
 * The caller holds the endpoint's lock. An account's own endpoint gets no gap: the notices page
 * lists what was dropped, and no list of events does.
 */
export async function replaceByGap(
  ctx: Context,
  tx: Queryable,
  endpoint: EndpointKey,
  until: number,
): Promise<void> {
  const after = await dropDeliveries(tx, endpoint.id, until);
  if (after === undefined) return;
  const { id, clientId } = endpoint;
  if (clientId !== null)
    await putDeliveries(tx, [await gapOf(ctx, tx, { id, clientId }, { after, until })]);
  ctx.log.warn(
    { endpointId: id, clientId },
    "events that waited for a webhook endpoint were replaced by a gap",
  );
}

const gapIdBytes = 16;

async function gapOf(
  ctx: Context,
  tx: Queryable,
  { id, clientId }: { readonly id: string; readonly clientId: string },
  { after, until }: { readonly after: number; readonly until: number },
): Promise<NewDelivery> {
  const now = ctx.now();
  const { epoch } = await readLogEnd(tx);
  const cursorAt = (seq: number) => writeEventCursor(ctx, clientId, { epoch, seq });
  const messageId = `evt_${ctx.ids.text(gapIdBytes)}`;
  const body = JSON.stringify({
    ...{ id: messageId, type: eventsGap.type, timestamp: now.toISOString() },
    cursor: cursorAt(until),
    data: {
      subject: { kind: eventsGap.subject, id },
      revision: now.getTime() * 1_000,
      changed: [...eventsGap.changed],
      ...{ after: cursorAt(after), until: cursorAt(until) },
    },
  });
  const about = { endpointId: id, messageId, seq: until, gapAfter: after, playerId: null };
  return { ...about, type: eventsGap.type, body };
}

/** For an endpoint that is enabled again. The caller holds the endpoint's lock. */
export async function replaceTooMany(
  ctx: Context,
  tx: Queryable,
  endpoint: EndpointKey & { readonly waiting: number },
): Promise<void> {
  if (endpoint.waiting <= mostWaiting) return;
  await replaceByGap(ctx, tx, endpoint, await readerPosition(tx, webhookReader));
}

/** For events past the retention, because their bodies are gone. */
export async function replaceExpired(ctx: Context): Promise<number> {
  const { oldest } = await readLogBounds(ctx, ctx.database.query);
  const expired = await listExpired(ctx.database.query, oldest, mostWaiting);
  for (const id of expired)
    await ctx.database.transaction(async (tx) => {
      const endpoint = await lockEndpointById(tx, id);
      if (endpoint) await replaceByGap(ctx, tx, endpoint, oldest);
    });
  return expired.length;
}
