import type { TokenHolder } from "../actor";
import { type Context, perProcess } from "../context";
import { secondMs } from "../platform/time";
import { reauthenticate } from "../rest/authenticate";
import { createBell } from "./bell";
import { createStreamSlots } from "./event-limits";
import type { Subscriber } from "./feed";
import { type EventPage, isWanted, type PageQuery, readEventPage } from "./read-page";

const waitSlots = perProcess("calls that wait for events", createStreamSlots);

/** How many wait in this process. */
export const waitingCalls = (ctx: Context): number => waitSlots(ctx).size();

/**
 * A page of events; where there is none yet, what comes within so many seconds. A call of a grant with too many waiting ones,
 * or of a process that drains, is answered at once.
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
  const giveBack = waitSlots(ctx).take(actor.grantId, { each: waitsOfGrant, all: waits });
  if (typeof giveBack === "string") return page;
  const until = performance.now() + seconds * secondMs;
  const { ring, heard } = createBell();
  const subscriber: Subscriber = {
    reader: actor,
    next: (_stretch, visible) => {
      if (!visible || visible.some(({ event }) => isWanted(event.type, query.types))) ring();
    },
    ...{ restart: ring, check: ring, tick: () => {}, end: ring },
  };
  request.signal.addEventListener("abort", ring, { once: true });
  try {
    await ctx.eventFeed.join(subscriber);
    for (;;) {
      // Read once more after joining, so that nothing falls between the page and the feed.
      const holder = await reauthenticate(ctx, request);
      page = await readEventPage(ctx, holder, { ...query, from: { after: page.cursor } });
      const left = until - performance.now();
      const isOver = left <= 0 || ctx.readiness.draining() || request.signal.aborted;
      if (isOver || isAnswer(page)) return page;
      await heard(left);
    }
  } finally {
    ctx.eventFeed.leave(subscriber);
    request.signal.removeEventListener("abort", ring);
    giveBack();
  }
}

const isAnswer = ({ events, more }: EventPage): boolean => events.length > 0 || more;
