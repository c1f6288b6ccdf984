import type { ServerResponse } from "node:http";
import type { PortalUser } from "#server/actor";
import { readSession } from "#server/auth/sessions";
import type { Context } from "#server/context";
import type { LoggedEvent } from "#server/event-log/read-log";
import { retryFrame } from "#server/events/event-frames";
import type { PageSubscriber } from "#server/events/feed";
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

const shortestRetry = 2_000;
const retrySpread = 6_000;

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
  let response: ServerResponse | undefined;
  let changed = new Set<BoardPart>();
  let writing = false;
  let again = false;
  let over = false;
  let blockedSince: number | undefined;
  let askedAt = performance.now();
  const draw = () => (ctx.ids.bytes(1)[0] ?? 0) / 256;
  const endsAt = performance.now() + limits.age * (0.8 + 0.4 * draw());

  const close = () => {
    if (over) return;
    over = true;
    ctx.eventFeed.leave(stream);
    onEnd();
  };
  const finish = (reason: BoardStreamEnd) => {
    if (over) return;
    close();
    if (blockedSince === undefined) response?.end(endFrame(reason));
    else response?.destroy();
  };
  const write = (text: string) => {
    if (response?.write(text) !== false) return;
    blockedSince = performance.now();
    response.once("drain", () => {
      blockedSince = undefined;
    });
  };

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
    if (writing || !response) return;
    writing = true;
    try {
      do {
        again = false;
        const isSignedIn = await mayGoOn();
        if (over) return;
        if (!isSignedIn) return finish("signed-out");
        const parts = boardParts.filter((part) => changed.has(part));
        changed = new Set();
        write(parts.length > 0 ? changedFrame(parts) : heartbeatFrame);
      } while (again && blockedSince === undefined);
    } catch {
      // The database is away: what has changed is told with the next tick that finds it.
    } finally {
      writing = false;
    }
  };
  const add = (parts: readonly BoardPart[]) => {
    for (const part of parts) changed.add(part);
    if (parts.length > 0 && response && blockedSince === undefined) void tell();
  };
  const concerns = ({ factionId, playerId }: LoggedEvent) =>
    factionId !== null &&
    factionId === membership.factionId &&
    (playerId === null || playerId === user.playerId || isBanker(membership));

  const stream: BoardStream = {
    user,
    open: (to) => {
      if (over) return void to.end();
      if (to.destroyed || !to.socket) return close();
      response = to;
      to.once("close", close).on("error", close);
      write(`${retryFrame(Math.round(shortestRetry + retrySpread * draw()))}${heartbeatFrame}`);
      add([...changed]);
    },
    next: (_read, events) => {
      if (over) return;
      add(events ? events.filter(concerns).flatMap(({ type }) => partsChangedBy(type)) : boardParts);
    },
    restart: () => add(boardParts),
    check: () => void tell(),
    tick: (elapsed) => {
      if (over || !response) return;
      if (blockedSince !== undefined) {
        if (elapsed - blockedSince < limits.slow) return;
        close();
        return void response.socket?.resetAndDestroy();
      }
      if (elapsed > endsAt) return finish("age");
      if (changed.size > 0 || elapsed - askedAt > limits.heartbeat) void tell();
    },
    end: () => finish("drain"),
  };
  return stream;
}
