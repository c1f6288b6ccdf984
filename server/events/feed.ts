import type { Database } from "#db/client";
import type { TokenHolder } from "../actor";
import {
  type LogEnd,
  type LoggedEvent,
  readEpochEnd,
  readLogEnd,
  type Stretch,
} from "../event-log/read-log";
import { eventChannel } from "../event-log/sequencer";
import { serializeError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { Log } from "../platform/log";
import { createSemaphore, createSlots } from "../platform/slots";
import { minuteMs, secondMs } from "../platform/time";
import { createWakeLoop } from "../work/wake-loop";
import { eventsByGrant, readVisibleEvents, type VisibleEvent } from "./visible-events";

interface ReadStretch extends Stretch {
  /** When the rights were read, by `performance.now()`. */
  readonly readAt: number;
  readonly events: readonly LoggedEvent[];
}

/** An open stream or a waiting call. Its callbacks must not throw. */
export interface Subscriber {
  /** A portal page has no token, so it reads by account. */
  readonly reader: TokenHolder | { readonly accountId: string };
  /** @param visible events of the reader's grant; undefined if not read */
  next(stretch: ReadStretch, visible: readonly VisibleEvent[] | undefined): void;
  /** Called when the log has a new epoch or ends earlier; numbers up to `kept` stay valid. */
  restart(end: LogEnd, kept: number): void;
  check(): void;
  /** Called each second. @param elapsed `performance.now()`, read once for all subscribers */
  tick(elapsed: number, now: Date): void;
  end(): void;
}

export type EventFeed = ReturnType<typeof createEventFeed>;

const batchSize = 500;
const none: readonly VisibleEvent[] = [];

/** Reads the log once for all subscribers, and only while there are some. */
export function createEventFeed({
  database,
  now,
  ids,
  log,
  limits,
  watchRights,
}: {
  database: Database;
  now: () => Date;
  ids: Ids;
  log: Log;
  limits: EventLimits;
  watchRights: (onRevoked: (touched: (subject: Subscriber["reader"]) => boolean) => void) => void;
}) {
  const on = database.query;
  const subscribers = new Set<Subscriber>();
  let head: LogEnd | undefined;
  let timer: NodeJS.Timeout | undefined;
  let listening = false;
  let failing = false;

  const reads = createWakeLoop({
    run: async () => {
      if (subscribers.size > 0) await readOn();
      failing = false;
    },
    onFailure: (error) => {
      if (!failing) log.warn({ error: serializeError(error) }, "events could not be read");
      failing = true;
    },
  });
  const hint = () => {
    if (subscribers.size > 0) reads.wake();
  };

  const readOn = async () => {
    const end = await readLogEnd(on);
    head ??= end;
    const before = head;
    if (end.epoch !== before.epoch || end.seq < before.seq) {
      const kept = await readEpochEnd(on, before.epoch, end);
      if (kept < before.seq)
        log.error({ seen: before.seq, kept }, "the log of events has lost numbers that were given");
      if (head !== before) return;
      head = { epoch: end.epoch, seq: Math.min(before.seq, kept, end.seq) };
      for (const subscriber of [...subscribers]) subscriber.restart(end, kept);
    }
    while (head && head.seq < end.seq) await readBatch(head, end.seq);
  };

  const readBatch = async (from: LogEnd, until: number) => {
    const asked = new Map<string, TokenHolder>();
    for (const { reader } of subscribers)
      if ("grantId" in reader) asked.set(reader.grantId, reader);
    const readAt = performance.now();
    const { events, visible, reached } = await readVisibleEvents(
      on,
      { after: from.seq, until },
      { readers: { grants: [...asked.values()] }, limit: batchSize, now: now() },
    );
    // If all subscribers left, the next subscriber starts at the end of the log.
    if (head !== from) return;
    head = { ...from, seq: reached };
    const byGrant = eventsByGrant(visible, asked.keys());
    const stretch = { after: from.seq, until: reached, readAt, events };
    for (const subscriber of [...subscribers]) {
      const grantId = "grantId" in subscriber.reader ? subscriber.reader.grantId : "";
      subscriber.next(stretch, asked.has(grantId) ? (byGrant.get(grantId) ?? none) : undefined);
    }
  };

  const stop = () => {
    clearInterval(timer);
    [timer, head] = [undefined, undefined];
  };
  const leave = (subscriber: Subscriber) => {
    if (subscribers.delete(subscriber) && subscribers.size === 0) stop();
  };
  const begin = () => {
    if (!listening) {
      listening = true;
      // If listening fails, the log is still polled every second.
      database.listen(eventChannel, hint, hint).catch(() => {});
    }
    timer ??= setInterval(() => {
      hint();
      const [elapsed, instant] = [performance.now(), now()];
      for (const subscriber of [...subscribers]) subscriber.tick(elapsed, instant);
    }, limits.look).unref();
  };

  watchRights((touched) => {
    for (const subscriber of [...subscribers]) if (touched(subscriber.reader)) subscriber.check();
  });

  return {
    limits,
    /** Places of this process; `streams` counts by account and application. */
    places: {
      streams: createSlots(),
      streamsByAccount: createSlots(),
      waits: createSlots(),
      boards: createSlots(),
      backfills: createSemaphore(limits.backfills),
    },
    /** @returns the log's end, after which the subscriber gets all events; undefined if it left */
    join: async (subscriber: Subscriber): Promise<LogEnd | undefined> => {
      subscribers.add(subscriber);
      begin();
      try {
        while (head === undefined && subscribers.has(subscriber)) await reads.run();
        return head;
      } catch (error) {
        leave(subscriber);
        throw error;
      }
    },
    leave,
    size: () => subscribers.size,
    end: () => head,
    /** Ends subscribers at random times of this period, so that they do not reconnect together. */
    drain: (milliseconds: number) => {
      for (const subscriber of [...subscribers]) {
        const share = (ids.bytes(1)[0] ?? 0) / 256;
        setTimeout(subscriber.end, milliseconds * share).unref();
      }
    },
    close: () => {
      for (const subscriber of [...subscribers]) subscriber.end();
      stop();
    },
  };
}

/** Times in milliseconds. */
export const usualLimits = {
  /** Poll interval of the log; hints usually come earlier. */
  look: secondMs,
  /** Proxies close connections that are silent for a minute. */
  heartbeat: 15 * secondMs,
  /** Varies by a fifth. */
  age: 15 * minuteMs,
  /** A reader that accepts nothing for this long is cut off. */
  slow: minuteMs,
  /** Per account and application. */
  streamsOfHolder: 5,
  /** Each stream uses about twenty kilobytes. */
  streams: 2_000,
  waitsOfGrant: 2,
  waits: 1_000,
  /** Concurrent reads of the log by streams, to leave connections for other calls. */
  backfills: 3,
};
export type EventLimits = Readonly<typeof usualLimits>;
