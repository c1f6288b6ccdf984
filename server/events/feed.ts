import type { Database } from "#db/client";
import type { PortalUser, TokenHolder } from "../actor";
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
}

/** Callbacks of a subscriber that waits for events in this process. None may throw. */
interface Waiting {
  /** The log goes on under another epoch, or ends earlier than it did: of what was given before, numbers up to `kept` are still on it. */
  restart(end: LogEnd, kept: number): void;
  /** The reader's rights may have ended. */
  check(): void;
  /** Each second, with what `performance.now()` and the clock say: two thousand would ask them one after the other. */
  tick(elapsed: number, now: Date): void;
  /** This process is about to end. */
  end(): void;
}

/** An open stream of an application, or a call of one that waits. */
export interface Subscriber extends Waiting {
  readonly actor: TokenHolder;
  /** The log goes on: what this reader may be told of a stretch. Undefined where the reader came after it was read. */
  next(read: ReadStretch, visible: readonly VisibleEvent[] | undefined): void;
}

/** An open page of the portal. It is given all that happens, and decides by its reader's session what concerns them. */
export interface PageSubscriber extends Waiting {
  readonly user: PortalUser;
  /** The log goes on. Undefined where the page came after it was read. */
  next(read: ReadStretch, events: readonly LoggedEvent[] | undefined): void;
}

/** Reads the log once for everybody in this process who waits for events, and only while somebody does. */
export interface EventFeed {
  readonly limits: EventLimits;
  /**
   * Joins. What commits after the number that it resolves with reaches the subscriber; undefined for one that has left
   * meanwhile. Rejects where the database is away.
   */
  join(subscriber: Subscriber | PageSubscriber): Promise<LogEnd | undefined>;
  leave(subscriber: Subscriber | PageSubscriber): void;
  /** How many wait for events in this process. */
  size(): number;
  /** How far it has read; undefined while nobody waits. */
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
  /** Calls back when rights may have ended: with the account concerned, and the grant where it is only one. */
  readonly watchRights: (
    onRevoked: (
      touched: (subject: TokenHolder | { readonly accountId: string }) => boolean,
      grantId?: string,
    ) => void,
  ) => void;
}

const batchSize = 500;
const none: readonly VisibleEvent[] = [];

export function createEventFeed({
  database,
  now,
  ids,
  log,
  limits,
  watchRights,
}: EventFeedDeps): EventFeed {
  const on = database.query;
  /** With the number of batches that had begun when each came. */
  const subscribers = new Map<Subscriber | PageSubscriber, number>();
  const byGrant = new Map<string, Set<Subscriber>>();
  let begun = 0;
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
      // Everybody has left meanwhile.
      if (head !== before) return;
      head = { epoch: end.epoch, seq: Math.min(before.seq, kept, end.seq) };
      for (const subscriber of [...subscribers.keys()]) subscriber.restart(end, kept);
    }
    while (head && head.seq < end.seq) await readBatch(head, end.seq);
  };

  const readBatch = async (from: LogEnd, until: number) => {
    const batch = ++begun;
    const actors = [...subscribers.keys()].flatMap((subscriber) =>
      "actor" in subscriber ? [subscriber.actor] : [],
    );
    const grants = new Map(actors.map((actor) => [actor.grantId, actor]));
    const stretch = { after: from.seq, until };
    const readAt = performance.now();
    const page = await visibleTo(on, stretch, {
      readers: { grants: [...grants.values()] },
      limit: batchSize,
      now: now(),
    });
    // Everybody has left meanwhile: who comes next begins at the end of the log.
    if (head !== from) return;
    const visible = eventsByGrant(page.visible, byGrant.keys());
    head = { ...from, seq: page.reached };
    const read = { after: from.seq, until: page.reached, readAt };
    for (const [subscriber, before] of subscribers) {
      const isTooLate = before >= batch;
      if ("user" in subscriber) subscriber.next(read, isTooLate ? undefined : page.events);
      else
        subscriber.next(
          read,
          isTooLate ? undefined : (visible.get(subscriber.actor.grantId) ?? none),
        );
    }
  };

  const stop = () => {
    clearInterval(timer);
    [timer, head] = [undefined, undefined];
  };
  const leave = (subscriber: Subscriber | PageSubscriber) => {
    if (!subscribers.delete(subscriber)) return;
    if ("actor" in subscriber) {
      const { grantId } = subscriber.actor;
      const siblings = byGrant.get(grantId);
      siblings?.delete(subscriber);
      if (siblings?.size === 0) byGrant.delete(grantId);
    }
    if (subscribers.size === 0) stop();
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
      for (const subscriber of subscribers.keys()) subscriber.tick(elapsed, instant);
    }, limits.look).unref();
  };

  watchRights((touched, grantId) => {
    const among = grantId === undefined ? subscribers.keys() : (byGrant.get(grantId) ?? []);
    for (const subscriber of [...among])
      if (
        touched("actor" in subscriber ? subscriber.actor : { accountId: subscriber.user.accountId })
      )
        subscriber.check();
  });

  return {
    limits,
    join: async (subscriber) => {
      subscribers.set(subscriber, begun);
      if ("actor" in subscriber) {
        const { grantId } = subscriber.actor;
        byGrant.set(grantId, (byGrant.get(grantId) ?? new Set()).add(subscriber));
      }
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
      for (const subscriber of [...subscribers.keys()]) {
        const share = (ids.bytes(1)[0] ?? 0) / 256;
        setTimeout(subscriber.end, milliseconds * share).unref();
      }
    },
    close: () => {
      for (const subscriber of [...subscribers.keys()]) subscriber.end();
      stop();
    },
  };
}
