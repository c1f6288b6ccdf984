import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { readLogBounds } from "#server/event-log/log-bounds";
import { readLogEnd } from "#server/event-log/read-log";
import { writeEventCursor } from "#server/events/cursor";
import type { WebhookEndpoint } from "./endpoint";
import { queueMessages } from "./endpoint-store";
import { eventsGap } from "./events";

/** Numbers of the log that are not sent one by one: after the first, up to the second. */
export interface Gap {
  readonly after: number;
  readonly until: number;
}

const idBytes = 16;

/** Queues the notice of a gap, in the caller's transaction. */
export async function queueGap(
  ctx: Context,
  tx: Queryable,
  { id, clientId }: Pick<WebhookEndpoint, "id" | "clientId">,
  gap: Gap,
): Promise<void> {
  const now = ctx.now();
  const { epoch } = await readLogEnd(tx);
  const cursorAt = (seq: number) => writeEventCursor(ctx, clientId, { epoch, seq });
  const messageId = `evt_${Buffer.from(ctx.ids.bytes(idBytes)).toString("base64url")}`;
  const body = JSON.stringify({
    ...{ id: messageId, type: eventsGap.type, timestamp: now.toISOString(), cursor: cursorAt(gap.until) },
    data: {
      subject: { kind: eventsGap.subject, id },
      revision: now.getTime() * 1_000,
      changed: [...eventsGap.changed],
      ...{ after: cursorAt(gap.after), until: cursorAt(gap.until) },
    },
  });
  const about = { endpointId: id, messageId, seq: gap.until, playerId: null };
  await queueMessages(tx, [{ ...about, type: eventsGap.type, body, nextAt: new Date(0) }]);
}

/** Where an endpoint that stood still goes on. What the log does not hold any more becomes a gap. */
export async function startingPoint(ctx: Context, tx: Queryable, endpoint: WebhookEndpoint): Promise<number> {
  const { oldest } = await readLogBounds(ctx, tx);
  if (endpoint.seq >= oldest) return endpoint.seq;
  await queueGap(ctx, tx, endpoint, { after: endpoint.seq, until: oldest });
  return oldest;
}
