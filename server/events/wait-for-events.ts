import type { TokenHolder } from "../actor";
import { type Context, perProcess } from "../context";
import { createSlots } from "../platform/slots";
import { secondMs } from "../platform/time";
import { reauthenticate } from "../rest/authenticate";
import { createBell } from "../work/wake-loop";
import type { Subscriber } from "./feed";
import { type EventPage, isWanted, type PageQuery, readEventPage } from "./read-page";

const waitSlots = perProcess("calls that wait for events", createSlots);

export const waitingCalls = (ctx: Context): number => waitSlots(ctx).size();

/**
 * Long polling. Answers at once if the grant has too many waiting calls or the process drains.
 * @throws as `readEventPage`, and authentication failures if the token ends meanwhile
 */
export async function awaitEventPage(
  ctx: Context,
  actor: TokenHolder,
  { seconds, request, ...query }: PageQuery & { seconds: number; request: Request },
): Promise<EventPage> {
  let page = await readEventPage(ctx, actor, query);
  if (seconds === 0 || isAnswer(page)) return page;
  const { waitsOfGrant, waits } = ctx.events.feed.limits;
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
    await ctx.events.feed.join(subscriber);
    for (;;) {
      // Reads again after joining, so that there is no gap.
      const holder = await reauthenticate(ctx, request);
      page = await readEventPage(ctx, holder, { ...query, from: { after: page.cursor } });
      const left = until - performance.now();
      const isOver = left <= 0 || ctx.presence.draining() || request.signal.aborted;
      if (isOver || isAnswer(page)) return page;
      await heard(left);
    }
  } finally {
    ctx.events.feed.leave(subscriber);
    request.signal.removeEventListener("abort", ring);
    giveBack();
  }
}

const isAnswer = ({ events, more }: EventPage): boolean => events.length > 0 || more;
