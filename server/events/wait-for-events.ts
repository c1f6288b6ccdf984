import type { TokenHolder } from "../actor";
import { type Context, perProcess } from "../context";
import { secondMs } from "../platform/time";
import { reauthenticate } from "../rest/authenticate";
import { createBell } from "./bell";
import { type LogPosition, writeEventCursor } from "./cursor";
import { createStreamSlots } from "./event-limits";
import type { EventRecordOut } from "./event-record";
import type { Subscriber } from "./feed";
import { createOutbox } from "./outbox";
import {
  badCursor,
  findStart,
  isOpen,
  type PageQuery,
  readEventsFrom,
  recordsOf,
  type Start,
} from "./read-page";

const waitSlots = perProcess("calls that wait for events", createStreamSlots);

/** How many wait in this process. */
export const waitingCalls = (ctx: Context): number => waitSlots(ctx).size();

export interface EventPage {
  readonly events: readonly EventRecordOut[];
  /** Where to go on, also after a page without events. */
  readonly cursor: string;
  /** Whether the log goes on behind the page. */
  readonly more: boolean;
  readonly oldest: string;
}

type WaitingQuery = PageQuery & { readonly seconds: number; readonly request: Request };

interface FoundEvents {
  readonly events: readonly EventRecordOut[];
  readonly end: LogPosition;
  readonly more: boolean;
}

/**
 * A page of events in the order of the log; where there is none yet, what comes within so many seconds. A call of a grant with too many
 * waiting ones, or of a process that drains, is answered at once.
 * @throws UnknownElement for a cursor that leads nowhere, and what the call is refused with where its token has ended meanwhile
 */
export async function awaitEventPage(
  ctx: Context,
  actor: TokenHolder,
  query: WaitingQuery,
): Promise<EventPage> {
  const { clientId } = actor;
  const start = await findStart(ctx, clientId, query.from);
  const { epoch, seq, oldest } = start.bounds;
  if (start.lost)
    throw badCursor(start.lost, writeEventCursor(ctx, clientId, { epoch, seq: oldest }));
  const { events, reached } = await readEventsFrom(ctx, actor, { ...query, ...start });
  const found = { events, end: { epoch, seq: reached }, more: reached < seq };
  const isAnswer = events.length > 0 || found.more || query.seconds === 0;
  const { end, ...page } = isAnswer
    ? found
    : ((await waitInPlace(ctx, actor, query, { ...start, after: reached })) ?? found);
  return {
    ...page,
    cursor: writeEventCursor(ctx, clientId, end),
    oldest: writeEventCursor(ctx, clientId, { epoch: end.epoch, seq: oldest }),
  };
}

async function waitInPlace(
  ctx: Context,
  actor: TokenHolder,
  query: WaitingQuery,
  start: Start,
): Promise<FoundEvents | undefined> {
  const { waitsOfGrant, waits } = ctx.eventFeed.limits;
  const giveBack = waitSlots(ctx).take(actor.grantId, { each: waitsOfGrant, all: waits });
  if (typeof giveBack === "string") return undefined;
  try {
    return await firstEvents(ctx, actor, query, start);
  } finally {
    giveBack();
  }
}

/** A stream that ends after its first events, or when there is no time left. */
async function firstEvents(
  ctx: Context,
  actor: TokenHolder,
  { types, limit, expand, seconds, request }: WaitingQuery,
  start: Start,
): Promise<FoundEvents> {
  const { ring, heard } = createBell();
  const outbox = createOutbox(ctx, actor, { types, pageSize: limit, ring });
  const { clientId } = actor;
  const { signal } = request;
  const subscriber: Subscriber = {
    ...{ reader: actor, next: outbox.next, restart: outbox.restart },
    ...{ check: ring, tick: () => {}, end: ring },
  };
  const until = performance.now() + seconds * secondMs;
  signal.addEventListener("abort", ring, { once: true });
  try {
    await ctx.eventFeed.join(subscriber);
    outbox.begin(start);
    for (;;) {
      await outbox.peek();
      const { scopes } = await reauthenticate(ctx, request);
      const taken = outbox.take();
      const end = outbox.position();
      const { epoch } = end;
      if (taken && "lost" in taken)
        throw badCursor(taken.lost, writeEventCursor(ctx, clientId, { epoch, seq: taken.oldest }));
      const open = (taken?.events ?? []).filter(({ event }) => isOpen(event.scope, scopes));
      const left = until - performance.now();
      const isOver = left <= 0 || ctx.readiness.draining() || signal.aborted;
      if (open.length > 0 || isOver) {
        const events = await recordsOf(ctx, open, { clientId, epoch, expand });
        return { events, end, more: outbox.isWaiting() };
      }
      if (!outbox.isWaiting()) await heard(left);
    }
  } finally {
    ctx.eventFeed.leave(subscriber);
    signal.removeEventListener("abort", ring);
  }
}
