import type { z } from "zod";
import { writeExact } from "#server/platform/exact-json";
import type { TokenHolder } from "../actor";
import type { Context } from "../context";
import type { OpenStream } from "../rest/endpoint";
import { createBell } from "./bell";
import { writeEventCursor } from "./cursor";
import { AnyEvent, type EventRecordOut, eventTypeOf } from "./event-record";
import type { Subscriber } from "./feed";
import { createOutbox, type Outbox } from "./outbox";
import { type EventFilter, isOpen, recordsOf } from "./read-page";
import { createSseStream } from "./sse-stream";
import { findGrantState } from "./visible-store";

export interface StreamOptions extends EventFilter {
  readonly actor: TokenHolder;
  readonly token: string;
  readonly expiresAt: Date | undefined;
  readonly onEnd: () => void;
}

/** Events per log read. Each record costs a query. */
const pageSize = 100;
const pageWithRecords = 10;

/** A reader that is cut off for not reading gets no last frame. */
type StreamEnd = "token_expired" | "revoked" | "paused" | "suspended" | "age" | "drain";

/** By the state of the dead token's grant. */
const reasons = { live: "token_expired", banned: "paused", ended: "revoked" } as const;

export interface EventStream extends Subscriber, Pick<Outbox, "begin"> {
  readonly open: OpenStream;
}

/** Serves the events that the token allows, while it is valid. */
export function createEventStream(ctx: Context, options: StreamOptions): EventStream {
  const { actor, token, types, expand, onEnd } = options;
  const { clientId, grantId } = actor;
  let { scopes } = actor;
  let { expiresAt } = options;
  let records: readonly EventRecordOut[] = [];
  const bell = createBell();
  const outbox = createOutbox(ctx, actor, {
    ...{ types, ring: bell.ring },
    pageSize: expand ? pageWithRecords : pageSize,
  });

  const cursorAt = (seq: number) =>
    writeEventCursor(ctx, clientId, { epoch: outbox.position().epoch, seq });
  const cursor = () => cursorAt(outbox.position().seq);
  const endFrame = (reason: StreamEnd) =>
    `id: ${cursor()}\nevent: end\ndata: ${writeExact({ reason })}\n\n`;
  const taken = (): string => {
    const batch = outbox.take();
    if (!batch) return "";
    if (!("lost" in batch))
      return records
        .filter(({ type }) => isOpen(eventTypeOf(type)?.scope ?? null, scopes))
        .map(eventFrame)
        .join("");
    const reset = { reason: batch.lost, oldest: cursorAt(batch.oldest), cursor: cursor() };
    return `id: ${reset.cursor}\nevent: reset\ndata: ${writeExact(reset)}\n\n`;
  };
  const reasonOf = async (status: "paused" | "suspended" | undefined): Promise<StreamEnd> =>
    status ?? reasons[await findGrantState(ctx.database.query, grantId, ctx.now())];

  const source = {
    isWaiting: outbox.isWaiting,
    fetch: async () => {
      const batch = await outbox.peek();
      const events = batch && "events" in batch ? batch.events : [];
      const { epoch } = outbox.position();
      records = await recordsOf(ctx, events, { clientId, epoch, expand });
      return batch !== undefined;
    },
    ending: async () => {
      const found = await ctx.tokens.authenticate(token);
      if (found?.status === "active") {
        ({ expiresAt } = found);
        ({ scopes } = found.actor);
        return undefined;
      }
      const reason = await reasonOf(found?.status);
      return { frame: endFrame(reason), cutOff: reason !== "token_expired" };
    },
    opening: () => taken() || positionFrame(cursor()),
    frames: () => taken() || (outbox.isWaiting() ? "" : positionFrame(cursor())),
    endFrame,
    expiresAt: () => expiresAt,
  };
  const close = () => {
    ctx.events.feed.leave(stream);
    onEnd();
  };
  const { open, ...answer } = createSseStream(ctx, source, { bell, close });
  const { begin, next, restart } = outbox;
  const stream: EventStream = { reader: actor, begin, next, restart, ...answer, open };
  return stream;
}

/** HTML standard, section 9.2. The data is identical to the list's. */
const eventFrame = (event: EventRecordOut): string =>
  `id: ${event.cursor}\nevent: ${event.type}\ndata: ${writeExact(AnyEvent.parse(event) satisfies z.output<typeof AnyEvent>)}\n\n`;

/** Only moves the reader's position: frames without data dispatch no event. */
const positionFrame = (cursor: string): string => `id: ${cursor}\n\n`;
