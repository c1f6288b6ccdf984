import type { TokenHolder } from "../actor";
import { type Context, perProcess } from "../context";
import { secondMs } from "../platform/time";
import { createDeadline } from "../platform/within";
import { reauthenticate } from "../rest/authenticate";
import { readEventCursor } from "./cursor";
import { createStreamSlots } from "./event-limits";
import type { Subscriber } from "./feed";
import { type EventPage, isWanted, type PageQuery, readEventPage } from "./read-page";

const waitSlots = perProcess("calls that wait for events", createStreamSlots);

/** How many wait in this process. */
export const waitingCalls = (ctx: Context): number => waitSlots(ctx).size();

/**
 * A page of events; where there is none yet, what comes within so many seconds. A caller who waits often enough already, or
 * one that comes while this process drains, is answered at once.
 * @throws as `readEventPage`, and what the call is refused with where its token has ended meanwhile
 */
export async function awaitEventPage(
  ctx: Context,
  actor: TokenHolder,
  { seconds, request, ...query }: PageQuery & { seconds: number; request: Request },
): Promise<EventPage> {
  let page = await readEventPage(ctx, actor, query);
  if (seconds === 0 || isAnswer(page)) return page;
  const { waitsOfGrant, waits } = ctx.eventFeed.limits;
  const place = waitSlots(ctx).take(actor.grantId, { each: waitsOfGrant, all: waits });
  if (typeof place === "string") return page;
  const until = performance.now() + seconds * secondMs;
  try {
    for (;;) {
      const left = until - performance.now();
      const isHopeless = ctx.readiness.draining() || request.signal.aborted;
      if (left <= 0 || isHopeless) return page;
      await somethingNew(ctx, { actor, query, page, left, request });
      if (request.signal.aborted) return page;
      const holder = await reauthenticate(ctx, request);
      page = await readEventPage(ctx, holder, { ...query, from: { after: page.cursor } });
      if (isAnswer(page)) return page;
    }
  } finally {
    place();
  }
}

const isAnswer = ({ events, more }: EventPage): boolean => events.length > 0 || more;

interface Waiting {
  readonly actor: TokenHolder;
  readonly query: PageQuery;
  readonly page: EventPage;
  readonly left: number;
  readonly request: Request;
}

/** Resolves when the page may go on, when the time is over, and when nothing is to be waited for any more. */
function somethingNew(ctx: Context, { actor, query, page, left, request }: Waiting): Promise<void> {
  const reached = readEventCursor(ctx.keyring, actor.clientId, page.cursor)?.seq ?? 0;
  const { signal, end } = createDeadline(left, "nothing new", request.signal);
  return new Promise((resolve, reject) => {
    const stop = () => {
      end();
      ctx.eventFeed.leave(subscriber);
      resolve();
    };
    signal.addEventListener("abort", stop, { once: true });
    const subscriber: Subscriber = {
      actor,
      next: ({ until }, visible) => {
        if (until <= reached) return;
        if (
          !visible ||
          visible.some(({ event }) => event.seq > reached && isWanted(event.type, query))
        )
          stop();
      },
      restart: stop,
      check: stop,
      tick: () => {},
      end: stop,
    };
    const begin = async () => {
      const newest = await ctx.eventFeed.join(subscriber);
      // What was numbered between the page and now is not told again, and neither is an end of rights.
      if (!newest || newest.seq > reached) stop();
      else await reauthenticate(ctx, request);
    };
    begin().catch((error: unknown) => {
      reject(error);
      stop();
    });
  });
}
