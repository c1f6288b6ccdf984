import type { PortalUser } from "#server/actor";
import type { Origin } from "#server/audit/audit";
import type { Context } from "#server/context";
import { eventRecord } from "#server/events/event-record";
import { readLogBounds, readSeqBefore } from "#server/events/log-positions";
import { visibleTo } from "#server/events/visible-events";
import { GeneralError, UnknownElement } from "#server/failures";
import type { ReplayInput } from "./contract";
import { findSentMessage, listUndelivered, type SentMessage } from "./deliveries-store";
import type { Endpoint } from "./endpoint";
import { atOnce, type EndpointKey, findOwnEndpoint, noteAct, requireOwnEndpoint } from "./endpoint-acts";
import { queueMessages, updateEndpoint } from "./endpoint-store";
import { isChosen } from "./messages";
import { chargeReplay } from "./rate";

/** Messages of one replay. */
export const mostReplayed = 1_000;
const pageSize = 500;

/** How many messages were queued, and whether more were found than one replay sends: ask again from `until` then. */
export interface Replay {
  readonly queued: number;
  readonly more: boolean;
  readonly until: Date | null;
}

/**
 * Sends events of the last seven days to an enabled endpoint once more: the same id, the same body, and only what the consent of
 * today covers.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError where the endpoint is not enabled · TooManyRequests
 */
export async function replay(
  ctx: Context,
  user: PortalUser,
  { which, ...key }: EndpointKey & { readonly which: ReplayInput },
  origin: Origin,
): Promise<Replay> {
  const endpoint = await findOwnEndpoint(ctx, user, key);
  if (endpoint.state !== "enabled") throw GeneralError.because({ message: "Enable the endpoint first." });
  await chargeReplay(ctx, user);
  const found = await findMessages(ctx, endpoint, which);
  const { messages } = found;
  await ctx.database.transaction(async (tx) => {
    const { id } = await requireOwnEndpoint(tx, user, key);
    const rows = messages.map((message) => ({ ...message, endpointId: id, nextAt: atOnce }));
    await queueMessages(tx, rows);
    await updateEndpoint(tx, id, { dueAt: atOnce });
    await noteAct(ctx, tx, { user, key, act: "webhook-replayed", origin, details: { messages: messages.length } });
  });
  return { queued: messages.length, more: found.more, until: found.until };
}

interface Found {
  readonly messages: readonly SentMessage[];
  readonly more: boolean;
  readonly until: Date | null;
}

async function findMessages(ctx: Context, endpoint: Endpoint, which: ReplayInput): Promise<Found> {
  const on = ctx.database.query;
  const endpointId = endpoint.id;
  if ("messageId" in which) {
    const { messageId } = which;
    const message = await findSentMessage(on, { endpointId, messageId });
    if (!message) throw UnknownElement.because({ message: "No event with this id was sent in the last seven days." });
    return { messages: [message], more: false, until: null };
  }
  if ("failedSince" in which) {
    const asked = { endpointId, since: which.failedSince, limit: mostReplayed + 1 };
    const messages = await listUndelivered(on, asked);
    return { messages: messages.slice(0, mostReplayed), more: messages.length > mostReplayed, until: null };
  }
  return findInRange(ctx, endpoint, which);
}

async function findInRange(ctx: Context, endpoint: Endpoint, range: { from: Date; until: Date }): Promise<Found> {
  const on = ctx.database.query;
  const now = ctx.now();
  const { clientId } = endpoint;
  const bounds = await readLogBounds(ctx, on);
  let after = Math.max(bounds.oldest, await readSeqBefore(on, range.from, bounds));
  // What has not been read yet comes by itself.
  const until = Math.min(await readSeqBefore(on, range.until, bounds), endpoint.seq);
  const messages: SentMessage[] = [];
  while (after < until) {
    const stretch = { after, until };
    const page = await visibleTo(on, stretch, { readers: { clientIds: [clientId] }, limit: pageSize, now });
    for (const visible of page.visible) {
      const { event, reader } = visible;
      const record = isChosen(endpoint, event.type)
        ? eventRecord(ctx, visible, { clientId, epoch: bounds.epoch })
        : undefined;
      if (!record || messages.some(({ messageId }) => messageId === record.id)) continue;
      if (messages.length >= mostReplayed) return { messages, more: true, until: event.at };
      messages.push({ messageId: record.id, seq: event.seq, playerId: reader?.playerId ?? null, type: event.type });
    }
    after = page.reached;
  }
  return { messages, more: false, until: null };
}
