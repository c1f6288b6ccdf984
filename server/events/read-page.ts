import type { TokenHolder } from "../actor";
import type { Context } from "../context";
import { UnknownElement } from "../failures";
import { knownScopes } from "../oauth/scope-list";
import { covers } from "../scopes";
import { readEventCursor, writeEventCursor } from "./cursor";
import { type EventRecordOut, eventRecord, expandRecord } from "./event-record";
import { readLogBounds } from "./log-positions";
import { visibleToGrant } from "./visible-events";
import { findSeqBefore } from "./visible-store";

/** Where a reader begins. */
export type Beginning =
  | { readonly after: string }
  | { readonly since: Date }
  /** From the oldest that is kept, or from what happens next. */
  | { readonly at: "oldest" | "newest" };

export interface EventPage {
  readonly events: readonly EventRecordOut[];
  /** Where to go on, also after a page without events. */
  readonly cursor: string;
  /** Whether the log goes on behind the page. */
  readonly more: boolean;
  readonly oldest: string;
}

export interface PageQuery {
  readonly from: Beginning;
  readonly types?: readonly string[] | undefined;
  readonly expand: boolean;
  readonly limit: number;
}

const badCursor = (reason: "unknown" | "expired", oldest: string) =>
  UnknownElement.because({
    message:
      reason === "unknown"
        ? "The cursor is not one of this application's. Go on from `oldest`, or leave `after` out."
        : "What came after the cursor is not kept any more. Go on from `oldest`: read what you follow afresh.",
    details: { errors: [{ field: "after", message: reason }], reason, oldest },
  });

/** Where little of the log is the reader's, a page is filled by so many looks; then it is sent as it is, with `more`. */
const mostRounds = 4;

/**
 * A page of the events that a token may be told, in the order of the log.
 * @throws UnknownElement for a cursor that is another application's, or too old; `details.oldest` is where the log begins
 */
export async function readEventPage(ctx: Context, actor: TokenHolder, query: PageQuery): Promise<EventPage> {
  const on = ctx.database.query;
  const { clientId } = actor;
  const now = ctx.now();
  const bounds = await readLogBounds(ctx, on);
  const cursorAt = (seq: number) => writeEventCursor(ctx.keyring, clientId, { epoch: bounds.epoch, seq });
  const after = await beginningOf(ctx, { from: query.from, clientId, bounds, oldest: cursorAt(bounds.oldest) });

  const reader = { clientId, playerId: actor.playerId, grantId: actor.grantId };
  const events: EventRecordOut[] = [];
  let reached = after;
  for (let round = 0; round < mostRounds && events.length < query.limit && reached < bounds.seq; round++) {
    const limit = query.limit - events.length;
    const page = await visibleToGrant(on, { after: reached, until: bounds.seq }, { reader, limit, now });
    reached = page.reached;
    for (const found of page.visible) {
      const { type, scope } = found.event;
      if (query.types && !query.types.includes(type)) continue;
      // A token may open less than its grant.
      if (scope !== null && !knownScopes([scope]).every((name) => covers(actor.scopes, name))) continue;
      const record = eventRecord(ctx, found, { clientId, epoch: bounds.epoch });
      if (record) events.push(query.expand ? { ...record, record: await expandRecord(ctx, found) } : record);
    }
  }
  return { events, cursor: cursorAt(reached), more: reached < bounds.seq, oldest: cursorAt(bounds.oldest) };
}

async function beginningOf(
  ctx: Context,
  of: {
    readonly from: Beginning;
    readonly clientId: string;
    readonly bounds: { readonly seq: number; readonly epoch: number; readonly oldest: number };
    readonly oldest: string;
  },
): Promise<number> {
  const { from, clientId, bounds, oldest } = of;
  if ("at" in from) return from.at === "oldest" ? bounds.oldest : bounds.seq;
  if ("since" in from)
    return Math.max(bounds.oldest, (await findSeqBefore(ctx.database.query, from.since)) ?? bounds.seq);
  const position = readEventCursor(ctx.keyring, clientId, from.after);
  if (!position || position.epoch !== bounds.epoch || position.seq > bounds.seq) throw badCursor("unknown", oldest);
  if (position.seq < bounds.oldest) throw badCursor("expired", oldest);
  return position.seq;
}
