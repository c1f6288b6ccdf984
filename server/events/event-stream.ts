import type { z } from "zod";
import { writeExact } from "#server/platform/exact-json";
import type { TokenHolder } from "../actor";
import { type Context, perProcess } from "../context";
import { InvalidAuthenticationInformation, ServiceUnavailable, TooManyRequests } from "../failures";
import { createSlots } from "../platform/slots";
import { readBearer } from "../rest/authenticate";
import type { OpenStream } from "../rest/endpoint";
import { createBell } from "../work/wake-loop";
import { writeEventCursor } from "./cursor";
import { AnyEvent, type EventRecordOut, eventTypeOf } from "./event-record";
import type { Subscriber } from "./feed";
import { createOutbox } from "./outbox";
import {
  type Beginning,
  type EventFilter,
  findStart,
  isOpen,
  recordsOf,
  type Start,
} from "./read-page";
import { createSseStream } from "./sse-stream";
import { findGrantState } from "./visible-store";

const streamSlots = perProcess("open streams of events", createSlots);
const accountSlots = perProcess("open streams by account", createSlots);
const accountShare = 1 / 8;

export const openStreams = (ctx: Context): number => streamSlots(ctx).size();

/** Seconds until a retry; streams end by age all the time. */
const fullRetry = 30;
/** Seconds; another instance is ready during a drain. */
const drainRetry = 1;

/**
 * The stream begins when the mount opens it.
 * @throws TooManyRequests, ServiceUnavailable without a free slot; InvalidAuthenticationInformation
 * if the token ends meanwhile
 */
export async function acceptEventStream(
  ctx: Context,
  {
    by,
    request,
    from,
    ...filter
  }: EventFilter & { by: TokenHolder; request: Request; from: Beginning },
): Promise<OpenStream> {
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
    // Before the log is read, so that there is no gap.
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
  const { streamsOfHolder, streams } = ctx.events.feed.limits;
  const ofAccount = Math.max(streamsOfHolder, Math.floor(streams * accountShare));
  const tooMany = (whose: string, limit: number) =>
    TooManyRequests.because({
      message: `${whose}. End one, or use one for all that you follow.`,
      details: { policy: "streams", limit, reset: fullRetry },
      retryAfter: fullRetry,
    });
  const place = streamSlots(ctx).take(`${accountId}:${clientId}`, {
    each: streamsOfHolder,
    all: streams,
  });
  if (place === "each")
    throw tooMany(
      `The application has ${streamsOfHolder} streams open for this player`,
      streamsOfHolder,
    );
  if (place === "all")
    throw ServiceUnavailable.because({
      message: "Too many streams are open.",
      retryAfter: fullRetry,
    });
  const share = accountSlots(ctx).take(accountId, { each: ofAccount, all: streams });
  if (typeof share === "string") {
    place();
    throw tooMany(`Applications have ${ofAccount} streams open for this player`, ofAccount);
  }
  return () => {
    place();
    share();
  };
}

/** Events per log read. Each record costs a query. */
const pageSize = 100;
const pageWithRecords = 10;

/** A reader that is cut off for not reading gets no last frame. */
type StreamEnd = "token_expired" | "revoked" | "paused" | "suspended" | "age" | "drain";

/** By the state of the dead token's grant. */
const reasons = { live: "token_expired", banned: "paused", ended: "revoked" } as const;

interface EventStream extends Subscriber {
  begin(start: Start, expiresAt: Date | undefined): void;
  readonly open: OpenStream;
}

/** Serves the events that the token allows, while it is valid. */
function createEventStream(
  ctx: Context,
  options: EventFilter & { actor: TokenHolder; token: string; onEnd: () => void },
): EventStream {
  const { actor, token, types, expand, onEnd } = options;
  const { clientId, grantId } = actor;
  let { scopes } = actor;
  let expiresAt: Date | undefined;
  let records: readonly EventRecordOut[] = [];
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
  const { next, restart } = outbox;
  const begin = (start: Start, end: Date | undefined) => {
    expiresAt = end;
    outbox.begin(start);
  };
  const stream: EventStream = { reader: actor, begin, next, restart, ...answer, open };
  return stream;
}

/** HTML standard, section 9.2. The data is identical to the list's. */
const eventFrame = (event: EventRecordOut): string =>
  `id: ${event.cursor}\nevent: ${event.type}\ndata: ${writeExact(AnyEvent.parse(event) satisfies z.output<typeof AnyEvent>)}\n\n`;

/** Only moves the reader's position: frames without data dispatch no event. */
const positionFrame = (cursor: string): string => `id: ${cursor}\n\n`;
