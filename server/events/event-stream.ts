import type { TokenHolder } from "../actor";
import type { Authentication, Context } from "../context";
import type { LogEnd } from "../event-log/store";
import type { OpenStream } from "../rest/endpoint";
import type { EventCatchUp } from "./catch-up";
import { writeEventCursor } from "./cursor";
import { eventTypeOf } from "./event-record";
import type { Subscriber } from "./feed";
import {
  type EventFilter,
  findStart,
  isOpen,
  isWanted,
  type LostCursor,
  recordsOf,
  type Start,
} from "./read-page";
import {
  createSseWriter,
  endFrame,
  eventFrame,
  positionFrame,
  resetFrame,
  type StreamEnd,
} from "./sse-writer";
import type { VisibleEvent } from "./visible-events";
import { findGrantState } from "./visible-store";

export interface StreamOptions extends EventFilter {
  readonly actor: TokenHolder;
  readonly token: string;
  readonly expiresAt: Date | undefined;
  /** Reads the log where the stream is behind. */
  readonly catchUp: EventCatchUp;
  /** Called once, when the stream is over. */
  readonly onEnd: () => void;
}

/** Events that wait for a look at the token, with the position behind them and when the rights to them were read. */
interface Batch {
  readonly events: readonly VisibleEvent[];
  readonly until: number;
  readonly readAt: number;
}

/** A stream that falls further behind forgets them and reads the log. */
const mostQueued = 1_000;
/** Events of one read of the log. With records each costs a query. */
const pageSize = 100;
const pageWithRecords = 10;
/** Milliseconds after which rights are read again: nothing is written a second after they ended. */
const rightsCount = 900;

/** Why a stream ends whose token is dead, by the state of its grant. */
const reasons = { live: "token_expired", banned: "paused", ended: "revoked" } as const;

export interface EventStream extends Subscriber {
  /** Says where it begins. The feed has been joined by then, so that nothing falls between. */
  begin(start: Start): void;
  readonly open: OpenStream;
}

/** One open stream: writes what its reader may be told, asks for the token before each write, and keeps a position alone. */
export function createEventStream(ctx: Context, options: StreamOptions): EventStream {
  const { actor, token, catchUp } = options;
  const { clientId, grantId } = actor;
  const { limits } = ctx.eventFeed;
  const on = ctx.database.query;
  /** The position up to which events have been written. */
  let position: LogEnd = { epoch: 0, seq: 0 };
  /** The number up to which events are written or queued; the feed goes on from here. */
  let reached = 0;
  let queue: Batch[] = [];
  let queued = 0;
  /** The log is read from the position on, until the feed is reached. */
  let behind = true;
  let lost: LostCursor | undefined;
  let oldest = 0;
  let pumping = false;
  let checking = false;
  let checkAgain = false;
  let beating = false;
  let writtenAt = performance.now();
  let { expiresAt } = options;
  const writer = createSseWriter(ctx, {
    close: () => {
      fallBehind();
      ctx.eventFeed.leave(stream);
      options.onEnd();
    },
    drain: () => void pump(),
  });

  const cursorAt = (seq: number) => writeEventCursor(ctx, clientId, { epoch: position.epoch, seq });
  const fallBehind = () => {
    [queue, queued, behind] = [[], 0, true];
  };

  /** Ends it; who may not be told anything any more is cut off from what the system still keeps for them. */
  const finish = (reason: StreamEnd) =>
    writer.finish(endFrame(cursorAt(position.seq), reason), {
      cutOff: reason === "revoked" || reason === "paused" || reason === "suspended",
    });

  /** The token's holder at this moment; ends the stream where nobody may be told anything. */
  const holder = async (): Promise<TokenHolder | undefined> => {
    const found = await ctx.authenticate(token);
    if (writer.isOver()) return undefined;
    if (found?.status === "active") {
      expiresAt = found.expiresAt;
      return found.actor;
    }
    finish(await reasonOf(found));
    return undefined;
  };
  const reasonOf = async (found: Authentication | undefined): Promise<StreamEnd> => {
    if (found) return found.status === "paused" ? "paused" : "suspended";
    return reasons[await findGrantState(on, grantId, ctx.now())];
  };

  const write = (text: string, at: LogEnd) => {
    if (!writer.isOpen()) return;
    position = at;
    writtenAt = performance.now();
    writer.write(text);
  };

  const readBatch = async (): Promise<Batch | undefined> => {
    const end = ctx.eventFeed.end();
    if (end === undefined || end.epoch !== position.epoch) return undefined;
    if (position.seq >= end.seq) {
      behind = false;
      reached = position.seq;
      return undefined;
    }
    const limit = options.expand ? pageWithRecords : pageSize;
    const stretch = { after: position.seq, until: end.seq, limit };
    const { visible, reached: until, readAt } = await catchUp.read(ctx, actor, stretch);
    return { events: visible.filter(({ event }) => isWanted(event.type, options)), until, readAt };
  };
  const writeBatch = async ({ events, until, readAt }: Batch) => {
    const from = position;
    const { epoch } = from;
    const records = await recordsOf(ctx, events, { clientId, epoch, expand: options.expand });
    const held = events.length > 0 ? await holder() : actor;
    if (!held || writer.isOver() || position !== from) return;
    if (performance.now() - readAt > rightsCount) return fallBehind();
    const told = records.filter(({ type }) =>
      isOpen(eventTypeOf(type)?.scope ?? null, held.scopes),
    );
    if (told.length > 0) write(told.map(eventFrame).join(""), { epoch, seq: until });
    else position = { epoch, seq: until };
  };
  const writeReset = async (reason: LostCursor) => {
    if (!(await holder())) return;
    lost = undefined;
    const cursor = cursorAt(position.seq);
    write(resetFrame({ reason, oldest: cursorAt(oldest), cursor }), position);
  };
  const pump = async () => {
    if (pumping || !writer.isOpen()) return;
    pumping = true;
    try {
      while (!writer.isOver() && !writer.isBlocked()) {
        if (lost) await writeReset(lost);
        const batch = behind ? await readBatch() : queue.shift();
        if (batch) {
          queued = Math.max(0, queued - batch.events.length);
          await writeBatch(batch);
        } else if (behind || queue.length === 0) break;
      }
    } catch {
      // The database is away: the log is read again with the next tick.
      fallBehind();
    } finally {
      pumping = false;
    }
  };
  const beat = async () => {
    if (beating) return;
    beating = true;
    try {
      if (await holder())
        if (!writer.isBlocked()) write(positionFrame(cursorAt(position.seq)), position);
    } catch {
      // Who holds the token is not known, so nothing is written.
    } finally {
      beating = false;
    }
  };
  const check = async () => {
    checkAgain = true;
    if (checking) return;
    checking = true;
    try {
      while (checkAgain && !writer.isOver()) {
        checkAgain = false;
        await holder();
      }
    } catch {
      // Nothing is written before the token was asked for.
    } finally {
      checking = false;
    }
  };

  const stream: EventStream = {
    actor,
    begin: (start) => {
      ({ lost } = start);
      ({ oldest } = start.bounds);
      position = { epoch: start.bounds.epoch, seq: start.after };
    },
    open: (to) => {
      writer.open(to, () => {
        const cursor = cursorAt(position.seq);
        const reset = lost && resetFrame({ reason: lost, oldest: cursorAt(oldest), cursor });
        lost = undefined;
        writtenAt = performance.now();
        return reset ?? positionFrame(cursor);
      });
      void pump();
    },
    next: ({ after, until, readAt }, visible) => {
      if (writer.isOver() || behind || until <= reached) return;
      const isUsable = visible !== undefined && after <= reached && queued < mostQueued;
      const mine =
        visible?.filter(({ event }) => event.seq > reached && isWanted(event.type, options)) ?? [];
      if (!isUsable || (options.expand && mine.length > pageWithRecords)) {
        fallBehind();
        return void pump();
      }
      reached = until;
      if (mine.length === 0 && queue.length === 0 && !pumping) {
        position = { epoch: position.epoch, seq: until };
        return;
      }
      queue.push({ events: mine, until, readAt });
      queued += mine.length;
      void pump();
    },
    restart: (end, kept) => {
      fallBehind();
      // It came after the loss, and knows.
      const isNew = position.epoch === end.epoch && position.seq <= end.seq;
      if (isNew || position.seq <= kept) {
        position = { epoch: end.epoch, seq: position.seq };
        return void pump();
      }
      position = end;
      [lost, oldest] = ["restored", end.seq];
      void (async () => {
        const { bounds } = await findStart(ctx, clientId, { at: "newest" });
        oldest = bounds.oldest;
      })().then(pump, pump);
    },
    check: () => void check(),
    tick: (elapsed, now) => {
      const hasExpired = expiresAt !== undefined && expiresAt <= now;
      const state = writer.tick(elapsed, hasExpired);
      if (state === "closed") return;
      // A reader that does not keep up has a position, and nothing else.
      if (state === "blocked") return fallBehind();
      if (hasExpired) return finish("token_expired");
      if (state === "aged") return finish("age");
      if (behind || lost) void pump();
      if (elapsed - writtenAt > limits.heartbeat && !pumping) void beat();
    },
    end: () => finish("drain"),
  };
  return stream;
}
