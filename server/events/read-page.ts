import type { TokenHolder } from "../actor";
import type { Context } from "../context";
import { readEpochEnd, readSeqBefore } from "../event-log/read-log";
import { type LogBounds, readLogBounds } from "../event-log/retention";
import { UnknownElement } from "../failures";
import { knownScopesOf } from "../oauth/scope-list";
import { secondMs } from "../platform/time";
import { revalidateToken } from "../rest/authenticate";
import { covers, type ScopeName } from "../scopes";
import { createBell } from "../work/wake-loop";
import { readEventCursor, writeEventCursor } from "./cursor";
import { type EventRecordOut, eventRecordOf, findSubjectRecord } from "./event-record";
import type { Subscriber } from "./feed";
import { readVisibleToGrant, type VisibleEvent } from "./visible-events";

export type Beginning =
  | { readonly after: string }
  | { readonly since: Date }
  | { readonly at: "oldest" | "newest" };

type EventPage = Awaited<ReturnType<typeof readEventPage>>;

export interface EventFilter {
  readonly types?: readonly string[] | undefined;
  readonly expand: boolean;
}

interface PageQuery extends EventFilter {
  readonly from: Beginning;
  readonly limit: number;
}

/**
 * `unknown`: not written for this application. `expired`: too old. `restored`: lost in a restore.
 */
export type LostCursorReason = "unknown" | "expired" | "restored";

export interface StartPosition {
  readonly bounds: LogBounds;
  readonly after: number;
  /** If set, the cursor was invalid, and `after` is the end of the log. */
  readonly lost?: LostCursorReason;
}

const sentences: Readonly<Record<LostCursorReason, string>> = {
  unknown:
    "The cursor is not one of this application's. Go on from `oldest`, or leave `after` out.",
  expired:
    "What came after the cursor is not kept any more. Go on from `oldest`: read what you follow afresh.",
  restored:
    "The database was restored, and what the cursor points at is lost. Go on from `oldest`: read what you follow afresh.",
};

const badCursor = (reason: LostCursorReason, oldest: string) =>
  UnknownElement.because({
    message: sentences[reason],
    details: { errors: [{ field: "after", message: reason }], reason, oldest },
  });

export async function findStart(
  ctx: Context,
  clientId: string,
  from: Beginning,
): Promise<StartPosition> {
  const bounds = await readLogBounds(ctx, ctx.database.query);
  if ("at" in from) return { bounds, after: from.at === "oldest" ? bounds.oldest : bounds.seq };
  if ("since" in from) {
    const before = await readSeqBefore(ctx.database.query, from.since, bounds);
    return { bounds, after: Math.max(bounds.oldest, before) };
  }
  const lost = (reason: LostCursorReason): StartPosition => ({
    bounds,
    after: bounds.seq,
    lost: reason,
  });
  const position = readEventCursor(ctx.keyring, clientId, from.after);
  if (!position) return lost("unknown");
  if (position.seq < bounds.oldest) return lost("expired");
  if (position.seq > (await readEpochEnd(ctx.database.query, position.epoch, bounds)))
    return lost("restored");
  return { bounds, after: position.seq };
}

/** Log reads per page; after them even a page that is not full is sent. */
const mostRounds = 4;

/** @throws UnknownElement for an invalid cursor; `details.oldest` is the start of the log */
async function readEventPage(
  ctx: Context,
  { scopes, ...reader }: TokenHolder,
  { from, types, expand, limit }: PageQuery,
) {
  const { clientId } = reader;
  const { bounds, after, lost } = await findStart(ctx, clientId, from);
  const { epoch, seq: until } = bounds;
  const cursorAt = (seq: number) => writeEventCursor(ctx, clientId, { epoch, seq });
  const oldest = cursorAt(bounds.oldest);
  if (lost) throw badCursor(lost, oldest);
  const events: EventRecordOut[] = [];
  let reached = after;
  for (let round = 0; round < mostRounds && events.length < limit && reached < until; round++) {
    const asked = { reader, limit: limit - events.length, now: ctx.now() };
    const page = await readVisibleToGrant(ctx.database.query, { after: reached, until }, asked);
    reached = page.reached;
    const open = page.visible.filter(
      ({ event }) => isWanted(event.type, types) && isInScope(event.scope, scopes),
    );
    events.push(...(await recordsOf(ctx, open, { clientId, epoch, expand })));
  }
  return { events, cursor: cursorAt(reached), more: reached < until, oldest };
}

export const isWanted = (type: string, types: readonly string[] | undefined): boolean =>
  types === undefined || types.includes(type);

/** A token may have fewer scopes than its grant. */
export const isInScope = (scope: string | null, scopes: readonly ScopeName[]): boolean =>
  scope === null || knownScopesOf([scope]).every((name) => covers(scopes, name));

export async function recordsOf(
  ctx: Context,
  visible: readonly VisibleEvent[],
  of: { readonly clientId: string; readonly epoch: number; readonly expand: boolean },
): Promise<EventRecordOut[]> {
  const events: EventRecordOut[] = [];
  for (const found of visible) {
    const record = eventRecordOf(ctx, found, of);
    if (record)
      events.push(of.expand ? { ...record, record: await findSubjectRecord(ctx, found) } : record);
  }
  return events;
}

/**
 * Long polling. Answers at once if the grant has too many waiting calls or the process drains.
 * @throws as `readEventPage` and `revalidateToken`
 */
export async function awaitEventPage(
  ctx: Context,
  actor: TokenHolder,
  { seconds, request, ...query }: PageQuery & { seconds: number; request: Request },
): Promise<EventPage> {
  let page = await readEventPage(ctx, actor, query);
  if (seconds === 0 || isAnswer(page)) return page;
  const { limits, places } = ctx.events.feed;
  const most = { each: limits.waitsOfGrant, all: limits.waits };
  const giveBack = places.waits.take(actor.grantId, most);
  if (typeof giveBack === "string") return page;
  const until = performance.now() + seconds * secondMs;
  const { ring, heard } = createBell();
  const subscriber: Subscriber = {
    reader: actor,
    next: (_stretch, visible) => {
      if (!visible || visible.some(({ event }) => isWanted(event.type, query.types))) ring();
    },
    restart: ring,
    check: ring,
    tick: () => {},
    end: ring,
  };
  request.signal.addEventListener("abort", ring, { once: true });
  try {
    await ctx.events.feed.join(subscriber);
    for (;;) {
      // Reads again after joining, so that there is no gap.
      const holder = await revalidateToken(ctx, request);
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
