import type { z } from "zod";
import { writeExact } from "#server/platform/exact-json";
import type { TokenHolder } from "../actor";
import type { Context } from "../context";
import { InvalidAuthenticationInformation, ServiceUnavailable, TooManyRequests } from "../failures";
import { readBearer } from "../rest/authenticate";
import type { StreamOpener } from "../rest/endpoint";
import { createBell } from "../work/wake-loop";
import { writeEventCursor } from "./cursor";
import { type EventRecordOut, EventRecordSchema, findEventType } from "./event-record";
import type { Subscriber } from "./feed";
import { createOutbox } from "./outbox";
import {
  type Beginning,
  type EventFilter,
  findStart,
  isInScope,
  recordsOf,
  type StartPosition,
} from "./read-page";
import { createSseStream } from "./sse-stream";
import { findGrantState } from "./visible-store";

/** Share of a process's streams. */
const accountShare = 1 / 8;
/** Seconds. A place is soon free, because streams end by age. */
const fullRetry = 30;
/** Seconds; another instance is ready during a drain. */
const drainRetry = 1;

/** @throws TooManyRequests, ServiceUnavailable, InvalidAuthenticationInformation */
export async function acceptEventStream(
  ctx: Context,
  {
    by,
    request,
    from,
    ...filter
  }: EventFilter & { by: TokenHolder; request: Request; from: Beginning },
): Promise<StreamOpener> {
  if (ctx.presence.draining())
    throw ServiceUnavailable.because({
      message: "This instance is about to end. Connect again.",
      retryAfter: drainRetry,
    });
  const bearer = readBearer(request.headers.get("authorization"));
  const token = "token" in bearer ? bearer.token : "";
  const giveBack = takePlace(ctx, by);
  const stream = createEventStream(ctx, { ...filter, actor: by, token, onEnd: giveBack });
  try {
    // Joins before the log is read, so that there is no gap.
    await ctx.events.feed.join(stream);
    const start = await findStart(ctx, by.clientId, from);
    const found = await ctx.tokens.authenticate(token);
    if (!found) throw InvalidAuthenticationInformation.because();
    stream.begin(start, found.expiresAt);
    return stream.open;
  } catch (error) {
    ctx.events.feed.leave(stream);
    giveBack();
    throw error;
  }
}

function takePlace(ctx: Context, { accountId, clientId }: TokenHolder): () => void {
  const { limits, places } = ctx.events.feed;
  const { streamsOfHolder, streams } = limits;
  const ofAccount = Math.max(streamsOfHolder, Math.floor(streams * accountShare));
  const tooMany = (holder: string, limit: number) =>
    TooManyRequests.because({
      message: `${holder} ${limit} streams open for this player. End one, or use one for all that you follow.`,
      details: { policy: "streams", limit, reset: fullRetry },
      retryAfter: fullRetry,
    });
  const most = { each: streamsOfHolder, all: streams };
  const place = places.streams.take(`${accountId}:${clientId}`, most);
  if (place === "each") throw tooMany("The application has", streamsOfHolder);
  if (place === "all")
    throw ServiceUnavailable.because({
      message: "Too many streams are open.",
      retryAfter: fullRetry,
    });
  const share = places.streamsByAccount.take(accountId, { each: ofAccount, all: streams });
  if (typeof share === "string") {
    place();
    throw tooMany("Applications have", ofAccount);
  }
  return () => {
    place();
    share();
  };
}

/** Events per log read; fewer with records, because each record costs a query. */
const pageSize = 100;
const pageWithRecords = 10;

type StreamEnd = "token_expired" | "revoked" | "paused" | "suspended" | "age" | "drain";

const reasons = { live: "token_expired", banned: "paused", ended: "revoked" } as const;

interface EventStream extends Subscriber {
  begin(start: StartPosition, expiresAt: Date | undefined): void;
  readonly open: StreamOpener;
}

function createEventStream(
  ctx: Context,
  options: EventFilter & { actor: TokenHolder; token: string; onEnd: () => void },
): EventStream {
  const { actor, token, types, expand, onEnd } = options;
  const { clientId, grantId } = actor;
  let { scopes } = actor;
  let expiresAt: Date | undefined;
  const bell = createBell();
  const outbox = createOutbox(ctx, actor, {
    types,
    ring: bell.ring,
    pageSize: expand ? pageWithRecords : pageSize,
  });

  const cursorAt = (seq: number) =>
    writeEventCursor(ctx, clientId, { epoch: outbox.position().epoch, seq });
  const cursor = () => cursorAt(outbox.position().seq);
  const endFrame = (reason: StreamEnd) =>
    `id: ${cursor()}\nevent: end\ndata: ${writeExact({ reason })}\n\n`;
  const taken = (records: readonly EventRecordOut[]): string => {
    const batch = outbox.take();
    if (!batch) return "";
    if (!("lost" in batch))
      return records
        .filter(({ type }) => isInScope(findEventType(type)?.scope ?? null, scopes))
        .map(eventFrame)
        .join("");
    const reset = { reason: batch.lost, oldest: cursorAt(batch.oldest), cursor: cursor() };
    return `id: ${reset.cursor}\nevent: reset\ndata: ${writeExact(reset)}\n\n`;
  };
  const heartbeat = () => (outbox.isWaiting() ? "" : positionFrame(cursor()));
  const source = {
    isWaiting: outbox.isWaiting,
    fetch: async () => {
      const batch = await outbox.peek();
      if (!batch) return undefined;
      const events = "events" in batch ? batch.events : [];
      const { epoch } = outbox.position();
      const records = await recordsOf(ctx, events, { clientId, epoch, expand });
      return () => taken(records) || heartbeat();
    },
    heartbeat,
    ending: async () => {
      const found = await ctx.tokens.authenticate(token);
      if (found?.status === "active") {
        ({ expiresAt } = found);
        ({ scopes } = found.actor);
        return undefined;
      }
      const reason: StreamEnd =
        found?.status ?? reasons[await findGrantState(ctx.database.query, grantId, ctx.now())];
      return { frame: endFrame(reason), cutOff: reason !== "token_expired" };
    },
    opening: () => taken([]) || positionFrame(cursor()),
    endFrame,
    expiresAt: () => expiresAt,
  };
  const close = () => {
    ctx.events.feed.leave(stream);
    onEnd();
  };
  const { open, ...answer } = createSseStream(ctx, source, { bell, close });
  const { next, restart } = outbox;
  const begin = (start: StartPosition, end: Date | undefined) => {
    expiresAt = end;
    outbox.begin(start);
  };
  const stream: EventStream = { reader: actor, begin, next, restart, ...answer, open };
  return stream;
}

/** HTML standard, section 9.2. The data is the same as in the list. */
const eventFrame = (event: EventRecordOut): string =>
  `id: ${event.cursor}\nevent: ${event.type}\ndata: ${writeExact(EventRecordSchema.parse(event) satisfies z.output<typeof EventRecordSchema>)}\n\n`;

/** A frame without data dispatches no event and only moves the reader's position. */
const positionFrame = (cursor: string): string => `id: ${cursor}\n\n`;
