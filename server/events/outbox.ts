import type { TokenHolder } from "../actor";
import { type Context, perProcess } from "../context";
import type { LogEnd } from "../event-log/read-log";
import { readLogBounds } from "../event-log/retention";
import type { Subscriber } from "./feed";
import { isWanted, type LostCursor, type Start } from "./read-page";
import { type VisibleEvent, visibleToGrant } from "./visible-events";

export interface Batch {
  readonly events: readonly VisibleEvent[];
  readonly until: number;
  readonly readAt: number;
}

interface Loss {
  readonly lost: LostCursor;
  readonly oldest: number;
}

/** Pending events of one reader, in log order, without duplicates or gaps. */
export interface Outbox extends Pick<Subscriber, "next" | "restart"> {
  /** Call after joining the feed. */
  begin(start: Start): void;
  position(): LogEnd;
  isWaiting(): boolean;
  /** Undefined if nothing is visible after all. */
  peek(): Promise<Batch | Loss | undefined>;
  /** Delivers the peeked batch; undefined if it must be read again. */
  take(): Batch | Loss | undefined;
}

interface OutboxOptions {
  readonly types?: readonly string[] | undefined;
  readonly pageSize: number;
  readonly ring: () => void;
}

/** A slower reader goes back to the log. */
const mostQueued = 100;
/** Concurrent backfills per process, to leave connections for other calls. */
const mostReading = 3;
/** Milliseconds until rights are read again: nothing is sent a second after they ended. */
const rightsHold = 900;

/**
 * Three phases; a reader that falls behind starts again. 1. Backfill: pages of the log from the
 * position to the feed. 2. Cutover: the feed was joined before the read, so stretches overlap or
 * adjoin. 3. Live: stretches of the feed are queued.
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
  /** Everything up to this number is queued; the feed continues from here. */
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
    // The log restarted meanwhile.
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
      (!live && ctx.events.feed.end()?.epoch === position.epoch),
    peek: async () => {
      if (lost) {
        const { oldest } = await readLogBounds(ctx, ctx.database.query);
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
      // A position of the new epoch was delivered after the loss.
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
