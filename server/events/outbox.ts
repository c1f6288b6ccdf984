import type { TokenHolder } from "../actor";
import type { Context } from "../context";
import type { LogEnd } from "../event-log/read-log";
import { readLogBounds } from "../event-log/retention";
import type { Subscriber } from "./feed";
import { isWanted, type LostCursorReason, type StartPosition } from "./read-page";
import { readVisibleToGrant, type VisibleEvent } from "./visible-events";

interface Batch {
  readonly events: readonly VisibleEvent[];
  readonly until: number;
  readonly readAt: number;
}

interface Loss {
  readonly lost: LostCursorReason;
  readonly oldest: number;
}

/** A reader with more queued batches reads the log again. */
const mostQueued = 100;
/** Milliseconds that rights are trusted, so that nothing is sent a second after they end. */
const rightsHold = 900;

/**
 * Holds a reader's events in log order, without duplicates or gaps. 1. Backfill reads the log up to
 * the feed. 2. At the cutover both overlap, because the feed was joined first. 3. Live queues the
 * feed's stretches. A reader that falls behind returns to backfill.
 */
export function createOutbox(
  ctx: Context,
  actor: TokenHolder,
  of: { types?: readonly string[] | undefined; pageSize: number; ring: () => void },
) {
  const { types, pageSize, ring } = of;
  const on = ctx.database.query;
  let position: LogEnd = { epoch: 0, seq: 0 };
  let lost: LostCursorReason | undefined;
  let peeked: Batch | Loss | undefined;
  let queue: Batch[] = [];
  let live = false;
  /** Events up to this number are queued, and the feed continues after it. */
  let reached = 0;

  const rewind = () => {
    [queue, live, peeked] = [[], false, undefined];
  };
  const wanted = (visible: readonly VisibleEvent[]) =>
    visible.filter(({ event }) => isWanted(event.type, types));
  const backfill = async (until: number) => {
    const from = position;
    const stretch = { after: from.seq, until };
    const asked = { reader: actor, limit: pageSize };
    const release = await ctx.events.feed.places.backfills.acquire();
    try {
      const readAt = performance.now();
      const page = await readVisibleToGrant(on, stretch, { ...asked, now: ctx.now() });
      // A changed position means that the log restarted meanwhile.
      if (position === from)
        queue.push({ events: wanted(page.visible), until: page.reached, readAt });
    } finally {
      release();
    }
  };

  return {
    /** Must run after the feed is joined. */
    begin: ({ bounds, ...start }: StartPosition) => {
      position = { epoch: bounds.epoch, seq: start.after };
      ({ lost } = start);
      peeked = lost && { lost, oldest: bounds.oldest };
    },
    position: () => position,
    isWaiting: () =>
      lost !== undefined ||
      queue.length > 0 ||
      (!live && ctx.events.feed.end()?.epoch === position.epoch),
    peek: async () => {
      if (lost) {
        const { oldest } = await readLogBounds(ctx, on);
        peeked = { lost, oldest };
        return peeked;
      }
      const end = ctx.events.feed.end();
      if (queue.length === 0 && !live && end?.epoch === position.epoch) {
        if (position.seq < end.seq) await backfill(end.seq);
        else [live, reached] = [true, position.seq];
      }
      peeked = queue[0];
      return peeked;
    },
    /** Delivers the peeked batch; undefined if it must be read again. */
    take: () => {
      const taken = peeked;
      peeked = undefined;
      if (!taken) return undefined;
      if ("lost" in taken) lost = undefined;
      else if (performance.now() - taken.readAt > rightsHold) {
        rewind();
        return undefined;
      } else position = { epoch: position.epoch, seq: queue.shift()?.until ?? taken.until };
      return taken;
    },
    next: (
      { after, until, readAt }: Parameters<Subscriber["next"]>[0],
      visible: readonly VisibleEvent[] | undefined,
    ) => {
      if (!live || until <= reached) return;
      const events = wanted(visible ?? []).filter(({ event }) => event.seq > reached);
      const isGap = visible === undefined || after > reached;
      if (isGap || events.length > pageSize || queue.length >= mostQueued) {
        rewind();
        return ring();
      }
      reached = until;
      const last = queue.pop();
      if (last) queue.push(events.length > 0 ? last : { ...last, until });
      else if (events.length === 0) position = { epoch: position.epoch, seq: until };
      if (events.length === 0) return;
      queue.push({ events, until, readAt });
      ring();
    },
    restart: (end: LogEnd, kept: number) => {
      rewind();
      // A position of the new epoch was given after the loss, so it is valid.
      const isNew = position.epoch === end.epoch && position.seq <= end.seq;
      const isKept = isNew || position.seq <= kept;
      position = isKept ? { epoch: end.epoch, seq: position.seq } : end;
      if (!isKept) lost = "restored";
      ring();
    },
  };
}
