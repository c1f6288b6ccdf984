import type { PortalUser } from "#server/actor";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import type { LoggedEvent } from "#server/event-log/read-log";
import type { PageSubscriber } from "#server/events/feed";
import { createSseWriter } from "#server/events/sse-writer";
import { type BoardPart, boardParts, partsChangedBy } from "#server/faction/board/board-parts";
import { isBanker, type Membership } from "#server/faction/positions/membership";
import { readMembership } from "#server/faction/positions/read-membership";
import type { OpenStream } from "#server/rest/endpoint";

export interface BoardStreamOptions {
  readonly user: PortalUser;
  /** The session's, by which the reader's rights are read before each write. */
  readonly token: string;
  readonly membership: Membership;
  /** Called once, when the stream is over. */
  readonly onEnd: () => void;
}

export interface BoardStream extends PageSubscriber {
  readonly open: OpenStream;
}

/** Why a stream ends. "signed-out": the session is over, or the account banned. */
type BoardStreamEnd = "signed-out" | "age" | "drain";

/** A line of its own that no reader is told of (HTML standard, section 9.2.5). */
const heartbeatFrame = ":\n\n";
const changedFrame = (parts: readonly BoardPart[]) => `event: changed\ndata: ${parts.join(" ")}\n\n`;
const endFrame = (reason: BoardStreamEnd) => `event: end\ndata: ${reason}\n\n`;

/**
 * One open board: says which part has changed and never what is in it, so that the page asks for it with the rights of that moment.
 * The session is read before each write, heartbeats included.
 */
export function createBoardStream(ctx: Context, { user, token, onEnd, ...options }: BoardStreamOptions): BoardStream {
  const { limits } = ctx.eventFeed;
  let { membership } = options;
  let changed = new Set<BoardPart>();
  let writing = false;
  let again = false;
  let askedAt = performance.now();
  const writer = createSseWriter(ctx, {
    close: () => {
      ctx.eventFeed.leave(stream);
      onEnd();
    },
  });
  const finish = (reason: BoardStreamEnd) => writer.finish(endFrame(reason));

  /** Whether the session still stands; what the reader may see is read with it. */
  const mayGoOn = async (): Promise<boolean> => {
    if (!(await readSession(ctx, token))) return false;
    const before = membership;
    membership = await readMembership(ctx.database, user.playerId);
    if (membership.factionId !== before.factionId || isBanker(membership) !== isBanker(before))
      changed = new Set(boardParts);
    return true;
  };
  const tell = async () => {
    askedAt = performance.now();
    again = writing;
    if (writing || !writer.isOpen()) return;
    writing = true;
    try {
      do {
        again = false;
        const isSignedIn = await mayGoOn();
        if (writer.isOver()) return;
        if (!isSignedIn) return finish("signed-out");
        const parts = boardParts.filter((part) => changed.has(part));
        changed = new Set();
        writer.write(parts.length > 0 ? changedFrame(parts) : heartbeatFrame);
      } while (again && !writer.isBlocked());
    } catch {
      // The database is away: what has changed is told with the next tick that finds it.
    } finally {
      writing = false;
    }
  };
  const add = (parts: readonly BoardPart[]) => {
    for (const part of parts) changed.add(part);
    if (parts.length > 0 && writer.isOpen() && !writer.isBlocked()) void tell();
  };
  const concerns = ({ factionId, playerId }: LoggedEvent) =>
    factionId !== null &&
    factionId === membership.factionId &&
    (playerId === null || playerId === user.playerId || isBanker(membership));

  const stream: BoardStream = {
    user,
    open: (to) => {
      writer.open(to, () => heartbeatFrame);
      add([...changed]);
    },
    next: (_read, events) => {
      if (writer.isOver()) return;
      add(events ? events.filter(concerns).flatMap(({ type }) => partsChangedBy(type)) : boardParts);
    },
    restart: () => add(boardParts),
    check: () => void tell(),
    tick: (elapsed) => {
      const state = writer.tick(elapsed);
      if (state === "aged") return finish("age");
      if (state === "ready" && (changed.size > 0 || elapsed - askedAt > limits.heartbeat)) void tell();
    },
    end: () => finish("drain"),
  };
  return stream;
}
