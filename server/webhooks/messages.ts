import type { Queryable } from "#db/client";
import type { Context } from "#server/context";
import { readLogEnd } from "#server/event-log/read-log";
import { type EventRecordOut, eventRecord } from "#server/events/event-record";
import { visibleTo } from "#server/events/visible-events";
import type { WebhookEndpoint } from "./endpoint";
import { alwaysSent, eventsGap } from "./events";
import type { StoredMessage } from "./message-store";

/** Whether an endpoint is sent events of this type. */
export const isChosen = ({ types }: Pick<WebhookEndpoint, "types">, type: string): boolean =>
  alwaysSent.includes(type) || types.includes(type);

/** An event for an endpoint: one for each player who may be told, or one for all. */
export interface Message {
  readonly messageId: string;
  readonly seq: number;
  readonly playerId: number | null;
  readonly type: string;
  /** The same in every attempt; undefined before the first of a message that is sent again. */
  readonly body: string | undefined;
  /** Attempts so far. */
  readonly attempts: number;
  readonly firstAttemptAt: Date | undefined;
  /** Whether it waits in a row of its own. */
  readonly isStored: boolean;
}

export const messageOf = ({ body, firstAttemptAt, ...row }: StoredMessage): Message => ({
  ...{
    messageId: row.messageId,
    seq: row.seq,
    playerId: row.playerId,
    type: row.type,
    attempts: row.attempts,
  },
  ...{ body: body ?? undefined, firstAttemptAt: firstAttemptAt ?? undefined, isStored: true },
});

export interface FoundMessages {
  readonly messages: readonly Message[];
  /** Up to this number everything was looked at. */
  readonly reached: number;
}

/** The events of a stretch of the log that the application may be told at this moment, as messages of the endpoint. */
export async function findMessages(
  ctx: Context,
  on: Queryable,
  {
    endpoint,
    after,
    until,
    limit,
  }: {
    readonly endpoint: WebhookEndpoint;
    readonly after: number;
    readonly until: number;
    readonly limit: number;
  },
): Promise<FoundMessages> {
  const { clientId } = endpoint;
  const { epoch } = await readLogEnd(on);
  const of = { readers: { clientIds: [clientId] }, limit, now: ctx.now() };
  const { visible, reached } = await visibleTo(on, { after, until }, of);
  const messages = new Map<string, Message>();
  for (const each of visible) {
    const { event, reader } = each;
    if (!isChosen(endpoint, event.type)) continue;
    const record = eventRecord(ctx, each, { clientId, epoch });
    // A player may have approved on several devices, which is one message.
    if (record && !messages.has(record.id))
      messages.set(record.id, messageFrom(record, event.seq, reader?.playerId ?? null));
  }
  return { messages: [...messages.values()], reached };
}

const messageFrom = (record: EventRecordOut, seq: number, playerId: number | null): Message => ({
  ...{ messageId: record.id, seq, playerId, type: record.type, body: JSON.stringify(record) },
  ...{ attempts: 0, firstAttemptAt: undefined, isStored: false },
});

/** Numbers that are asked about together. */
const longestSpan = 500;

/** Those of the messages that the application may be told at this moment, by id, with their bodies. A gap is told always. */
export async function stillVisible(
  ctx: Context,
  on: Queryable,
  {
    endpoint,
    messages,
  }: { readonly endpoint: WebhookEndpoint; readonly messages: readonly Message[] },
): Promise<Map<string, Message>> {
  const visible = new Map<string, Message>();
  const asked = new Set(messages.map(({ messageId }) => messageId));
  const sorted = [...messages].sort((one, other) => one.seq - other.seq);
  let reached = Number.NEGATIVE_INFINITY;
  for (const message of sorted) {
    if (message.type === eventsGap.type) visible.set(message.messageId, message);
    else if (message.seq > reached) {
      reached = sorted.findLast(({ seq }) => seq < message.seq + longestSpan)?.seq ?? message.seq;
      const stretch = { endpoint, after: message.seq - 1, until: reached, limit: longestSpan };
      for (const found of (await findMessages(ctx, on, stretch)).messages)
        if (asked.has(found.messageId)) visible.set(found.messageId, found);
    }
  }
  return visible;
}
