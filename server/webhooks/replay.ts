import type { PortalUser } from "#server/actor";
import type { Context } from "#server/context";
import { findReaderPosition, readLogEnd, readSeqBefore } from "#server/event-log/read-log";
import { readLogBounds } from "#server/event-log/retention";
import { readEventCursor, writeEventCursor } from "#server/events/cursor";
import { readVisibleEvents } from "#server/events/visible-events";
import { GeneralError, UnknownElement } from "#server/failures";
import { charge } from "#server/platform/limiter/limiter";
import { type CappedCount, cappedCountOf, noCount } from "#server/platform/paging";
import type { ReplayInput } from "./contract";
import {
  countUndelivered,
  expediteProbe,
  findSentMessage,
  listUndelivered,
  type Message,
  upsertDeliveries,
} from "./delivery-store";
import type { WebhookEndpoint } from "./endpoint";
import { isChosen, messageOf, webhookReaderName } from "./fan-out";
import { type EndpointKey, lockOwnEndpoint, noteAct, readOwnEndpoint } from "./own-endpoint";

/** Low, because each replay may queue a thousand messages. */
const replaysAMinute = 6;
/** A replay exceeds this only to keep the messages of one event together. */
export const mostReplayed = 1_000;
/** Messages left are counted up to this number. */
const mostLeft = 10_000;
const pageSize = 500;
/** Log pages that are read only to count the messages left. */
const mostPages = 40;

/**
 * Sends events of the last seven days again, with the same ids and bodies, as far as today's
 * consents allow.
 * @throws UnknownOAuthClient · UnknownElement · GeneralError if the endpoint is not enabled ·
 * TooManyRequests
 */
export async function replay(
  ctx: Context,
  by: PortalUser,
  { which, ...key }: EndpointKey & { readonly which: ReplayInput },
) {
  const endpoint = await readOwnEndpoint(ctx, by, key);
  if (endpoint.state !== "enabled")
    throw GeneralError.because({ message: "Enable the endpoint first." });
  const rate = { policy: "webhook-replays", subject: by.accountId, limit: replaysAMinute };
  await charge(ctx, rate, "requests");
  const { messages, left, next } = await messagesToReplay(ctx, by, endpoint, which);
  await ctx.database.transaction(async (tx) => {
    const { id } = await lockOwnEndpoint(tx, by, key);
    // A replay says that the developer expects a resting endpoint to work again.
    await expediteProbe(tx, id);
    await upsertDeliveries(
      tx,
      messages.map((message) => ({ ...message, endpointId: id })),
    );
    await noteAct(ctx, tx, by, key, {
      act: "webhook_events.replayed",
      details: { messages: messages.length },
    });
  });
  const { epoch } = await readLogEnd(ctx.database.query);
  /** Given as `after`, the cursor continues the same replay. */
  const cursor =
    next === undefined ? null : writeEventCursor(ctx, readerOf(endpoint), { epoch, seq: next });
  return { queued: messages.length, left, next: cursor };
}

const readerOf = ({ clientId, accountId }: WebhookEndpoint): string => clientId ?? accountId ?? "";

interface ReplayPart {
  readonly messages: readonly Message[];
  readonly left: CappedCount;
  /** Log number of the last replayed event, if messages are left. */
  readonly next: number | undefined;
}

async function messagesToReplay(
  ctx: Context,
  by: PortalUser,
  endpoint: WebhookEndpoint,
  which: ReplayInput,
): Promise<ReplayPart> {
  const endpointId = endpoint.id;
  if ("messageId" in which) {
    const { messageId } = which;
    const message = await findSentMessage(ctx.database.query, { endpointId, messageId });
    if (!message)
      throw UnknownElement.because({
        message: "No event with this id was sent in the last seven days.",
      });
    return { messages: [message], left: noCount, next: undefined };
  }
  const after =
    which.after === undefined
      ? 0
      : readEventCursor(ctx.keyring, readerOf(endpoint), which.after)?.seq;
  if (after === undefined)
    throw GeneralError.because({ message: "This replay cannot go on. Start it again." });
  return "failedSince" in which
    ? findUndelivered(ctx, { endpointId, since: which.failedSince, after })
    : findInRange(ctx, by, endpoint, { ...which, after });
}

async function findUndelivered(
  ctx: Context,
  asked: { readonly endpointId: string; readonly since: Date; readonly after: number },
): Promise<ReplayPart> {
  const on = ctx.database.query;
  const found = await listUndelivered(on, { ...asked, limit: mostReplayed + 1 });
  if (found.length <= mostReplayed) return { messages: found, left: noCount, next: undefined };
  const last = found[mostReplayed]?.seq ?? 0;
  const before = found.filter(({ seq }) => seq < last);
  const messages = before.length > 0 ? before : found;
  const next = messages.at(-1)?.seq ?? last;
  const left = await countUndelivered(on, { ...asked, after: next, limit: mostLeft });
  return { messages, left: cappedCountOf(left, { most: mostLeft }), next };
}

async function findInRange(
  ctx: Context,
  { playerId }: PortalUser,
  endpoint: WebhookEndpoint,
  range: { readonly from: Date; readonly until: Date; readonly after: number },
): Promise<ReplayPart> {
  const on = ctx.database.query;
  const { clientId } = endpoint;
  const readers =
    clientId === null ? { clientIds: [], players: [playerId] } : { clientIds: [clientId] };
  const of = { readers, limit: pageSize, now: ctx.now() };
  const bounds = await readLogBounds(ctx, on);
  const come = await findReaderPosition(on, webhookReaderName);
  const until = Math.min(await readSeqBefore(on, range.until, bounds), come);
  const messages = new Map<string, Message>();
  const left = new Set<string>();
  let after = Math.max(bounds.oldest, range.after, await readSeqBefore(on, range.from, bounds));
  let [last, pages] = [after, 0];
  while (after < until && left.size < mostLeft && pages < mostPages) {
    const page = await readVisibleEvents(on, { after, until }, of);
    for (const visible of page.visible) {
      const message = messageOf(visible);
      const { messageId, seq, type } = message;
      if (!isChosen(endpoint, type) || messages.has(messageId)) continue;
      if (messages.size >= mostReplayed && seq > last) left.add(messageId);
      else {
        last = seq;
        messages.set(messageId, message);
      }
    }
    after = page.reached;
    if (left.size > 0) pages += 1;
  }
  const isMore = left.size > 0;
  return {
    messages: [...messages.values()],
    left: { count: Math.min(left.size, mostLeft), more: after < until },
    next: isMore ? last : undefined,
  };
}
