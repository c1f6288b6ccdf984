import type { TokenHolder } from "../actor";
import { type Context, perProcess } from "../context";
import type { LogEnd } from "../event-log/read-log";
import { readLogBounds } from "../event-log/retention";
import type { Subscriber } from "./feed";
import { isWanted, type LostCursor, type Start } from "./read-page";
import { type VisibleEvent, visibleToGrant } from "./visible-events";

/** Events that are handed over together, with the position behind them and when the rights to them were read. */
export interface Batch {
  readonly events: readonly VisibleEvent[];
  readonly until: number;
  readonly readAt: number;
}

/** The reader's position was lost: it goes on from `position`. */
export interface Loss {
  readonly lost: LostCursor;
  /** Where the log begins. */
  readonly oldest: number;
}

/** What one reader has yet to be given, in the order of the log: nothing twice, and without a gap. */
export interface Outbox extends Pick<Subscriber, "next" | "restart"> {
  /** Says where it begins, once the feed was joined. */
  begin(start: Start): void;
  /** The position behind all that was handed over. */
  position(): LogEnd;
  isWaiting(): boolean;
  /** The next batch, or the loss of the position; undefined where there is none after all. */
  peek(): Promise<Batch | Loss | undefined>;
  /** Hands over what was peeked at, and moves the position; undefined where it has to be read again. */
  take(): Batch | Loss | undefined;
}

export interface OutboxOptions {
  readonly types?: readonly string[] | undefined;
  /** The most events of a batch. */
  readonly pageSize: number;
  /** Called when there is something to hand over. */
  readonly ring: () => void;
}

/** A reader that lets more batches wait goes back to the log. */
const mostQueued = 100;
/** Backfills of a process at a time, so that other calls find connections. */
const mostReading = 3;
/** Milliseconds after which rights are read again: nothing is written a second after they ended. */
const rightsHold = 900;

/**
 * Three phases, of which a reader that falls behind begins again with the first:
 * 1. Backfill: pages of the log, from the position to where the feed is.
 * 2. Cutover: the feed was joined before the log was read, so its next stretch overlaps or adjoins what was read.
 * 3. Live: the stretches of the feed, queued until they are handed over.
 */
export function createOutbox(
  ctx: Context,
  actor: TokenHolder,
  { types, pageSize, ring }: OutboxOptions,
): Outbox {
  let position: LogEnd = { epoch: 0, seq: 0 };
  let lost: LostCursor | undefined;
  let peeked: Batch | Loss | undefined;
  let queue: Batch[] = [];
  let live = false;
  /** The number up to which everything is queued; the feed goes on from here. */
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
    const { page, readAt } = await inTurn(ctx, async () => ({
      readAt: performance.now(),
      page: await visibleToGrant(ctx.database.query, stretch, { ...asked, now: ctx.now() }),
    }));
    // The log began again meanwhile.
    if (position !== from) return;
    queue.push({ events: wanted(page.visible), until: page.reached, readAt });
  };

  return {
    begin: ({ bounds, ...start }) => {
      position = { epoch: bounds.epoch, seq: start.after };
      ({ lost } = start);
      peeked = lost && { lost, oldest: bounds.oldest };
    },
    position: () => position,
    isWaiting: () =>
      lost !== undefined ||
      queue.length > 0 ||
      (!live && ctx.eventFeed.end()?.epoch === position.epoch),
    peek: async () => {
      if (lost) {
        const { oldest } = await readLogBounds(ctx, ctx.database.query);
        peeked = { lost, oldest };
        return peeked;
      }
      const end = ctx.eventFeed.end();
      if (queue.length === 0 && !live && end?.epoch === position.epoch) {
        if (position.seq < end.seq) await backfill(end.seq);
        else [live, reached] = [true, position.seq];
      }
      peeked = queue[0];
      return peeked;
    },
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
    next: ({ after, until, readAt }, visible) => {
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
    restart: (end, kept) => {
      rewind();
      // A position of the new epoch was given after the loss.
      const isNew = position.epoch === end.epoch && position.seq <= end.seq;
      const isKept = isNew || position.seq <= kept;
      position = isKept ? { epoch: end.epoch, seq: position.seq } : end;
      if (!isKept) lost = "restored";
      ring();
    },
  };
}

const turns = perProcess("streams that read the log", () => ({
  reading: 0,
  waiting: [] as (() => void)[],
}));

async function inTurn<T>(ctx: Context, read: () => Promise<T>): Promise<T> {
  const own = turns(ctx);
  if (own.reading < mostReading) own.reading += 1;
  else await new Promise<void>((resolve) => own.waiting.push(resolve));
  try {
    return await read();
  } finally {
    const next = own.waiting.shift();
    if (next) next();
    else own.reading -= 1;
  }
}
