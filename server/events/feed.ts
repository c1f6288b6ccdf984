import type { Database } from "#db/client";
import type { TokenHolder } from "../actor";
import {
  type LogEnd,
  type LoggedEvent,
  readKept,
  readLogEnd,
  type Stretch,
} from "../event-log/read-log";
import { eventChannel } from "../event-log/sequencer";
import { describeError } from "../platform/errors";
import type { Ids } from "../platform/ids";
import type { Log } from "../platform/log";
import type { EventLimits } from "./event-limits";
import { eventsByGrant, type VisibleEvent, visibleTo } from "./visible-events";

/** A stretch of the log that was read, and when: rights are those of that moment, by `performance.now()`. */
export interface ReadStretch extends Stretch {
  readonly readAt: number;
  readonly events: readonly LoggedEvent[];
}

/** A reader that waits for events in this process: an open stream, or a call. None of its callbacks may throw. */
export interface Subscriber {
  /** The token's holder whose events are sought; of a page of the portal the account alone. */
  readonly reader: TokenHolder | { readonly accountId: string };
  /** The log goes on. @param visible what the token's holder may read of it; undefined where that was not asked for */
  next(stretch: ReadStretch, visible: readonly VisibleEvent[] | undefined): void;
  /** The log goes on under another epoch, or ends earlier than it did: numbers up to `kept` are still on it. */
  restart(end: LogEnd, kept: number): void;
  /** The reader's rights may have ended. */
  check(): void;
  /** Each second, with what `performance.now()` and the clock say: two thousand would ask them one after the other. */
  tick(elapsed: number, now: Date): void;
  /** This process is about to end. */
  end(): void;
}

/** Reads the log once for all subscribers of this process, and only while there are some. */
export interface EventFeed {
  readonly limits: EventLimits;
  /**
   * Joins. What commits after the number that it resolves with reaches the subscriber; undefined for one that has left
   * meanwhile. Rejects where the database is away.
   */
  join(subscriber: Subscriber): Promise<LogEnd | undefined>;
  leave(subscriber: Subscriber): void;
  /** How many wait for events in this process. */
  size(): number;
  /** How far it has read; undefined without subscribers. */
  end(): LogEnd | undefined;
  /** Ends all subscribers within so many milliseconds, each at a moment of its own, so that they do not all come back at once. */
  drain(milliseconds: number): void;
  close(): void;
}

export interface EventFeedDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly ids: Ids;
  readonly log: Log;
  readonly limits: EventLimits;
  /** Calls back when rights may have ended. */
  readonly watchRights: (
    onRevoked: (touched: (subject: Subscriber["reader"]) => boolean) => void,
  ) => void;
}

const batchSize = 500;
const none: readonly VisibleEvent[] = [];

export function createEventFeed(deps: EventFeedDeps): EventFeed {
  const { database, now, ids, log, limits, watchRights } = deps;
  const on = database.query;
  const subscribers = new Set<Subscriber>();
  let head: LogEnd | undefined;
  let timer: NodeJS.Timeout | undefined;
  let listening = false;
  let looking: Promise<void> | undefined;
  let wanted = false;
  let failing = false;

  /** Reads what is new. Calls while it reads make it read once more. */
  const look = (): Promise<void> => {
    wanted = true;
    looking ??= (async () => {
      try {
        while (wanted && subscribers.size > 0) {
          wanted = false;
          await readOn();
        }
        failing = false;
      } finally {
        looking = undefined;
      }
    })();
    return looking;
  };
  const hint = () => {
    if (subscribers.size === 0) return;
    look().catch((error: unknown) => {
      // The next look comes within a second.
      if (!failing) log.warn({ error: describeError(error) }, "events could not be read");
      failing = true;
    });
  };

  const readOn = async () => {
    const end = await readLogEnd(on);
    head ??= end;
    const before = head;
    if (end.epoch !== before.epoch || end.seq < before.seq) {
      const kept = await readKept(on, before.epoch, end);
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
    const { events, visible, reached } = await visibleTo(
      on,
      { after: from.seq, until },
      { readers: { grants: [...asked.values()] }, limit: batchSize, now: now() },
    );
    // All have left meanwhile: the next subscriber begins at the end of the log.
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
      // Where the database is away it is heard later; the next look comes within a second.
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
    join: async (subscriber) => {
      subscribers.add(subscriber);
      begin();
      try {
        while (head === undefined && subscribers.has(subscriber)) await look();
        return head;
      } catch (error) {
        leave(subscriber);
        throw error;
      }
    },
    leave,
    size: () => subscribers.size,
    end: () => head,
    drain: (milliseconds) => {
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
