import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Turn {
  response: ServerResponse;
  /** By `performance.now()`. */
  since: number;
  /** True for a stream, which ends by itself. */
  lasts: boolean;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

interface TurnLimits {
  /** Waiting requests per connection. One more cuts the connection. */
  readonly mostWaiting: number;
  /** Waiting requests on all connections. One more cuts its connection. */
  readonly mostWaitingInAll: number;
  /** Milliseconds. */
  readonly longestTurn: number;
}

/**
 * Answers pipelined requests in sequence (RFC 9112 section 9.3.2), so that a slow reader holds one
 * answer at a time.
 */
export function createPipelineQueue(
  handle: Handler,
  { mostWaiting, mostWaitingInAll, longestTurn }: TurnLimits,
) {
  const turns = new Map<Socket, Turn>();
  let waitingInAll = 0;

  function begin(
    socket: Socket,
    turn: Turn,
    [request, response]: [IncomingMessage, ServerResponse],
  ): void {
    Object.assign(turn, { response, since: performance.now() });
    response.once("close", () => {
      const next = socket.writable ? turn.waiting.shift() : undefined;
      if (next) {
        waitingInAll -= 1;
        begin(socket, turn, next);
      } else {
        waitingInAll -= turn.waiting.length;
        turns.delete(socket);
      }
    });
    handle(request, response);
  }

  return {
    handle: (request: IncomingMessage, response: ServerResponse): void => {
      const { socket } = request;
      const turn = turns.get(socket);
      if (turn === undefined) {
        const first = { response, since: 0, lasts: false, waiting: [] };
        turns.set(socket, first);
        begin(socket, first, [request, response]);
      } else if (
        !turn.lasts &&
        turn.waiting.length < mostWaiting &&
        waitingInAll < mostWaitingInAll
      ) {
        turn.waiting.push([request, response]);
        waitingInAll += 1;
      } else socket.destroy();
    },
    /** Requests queued behind a stream are dropped (RFC 9112 section 9.6). */
    keepOpen: (socket: Socket): void => {
      const turn = turns.get(socket);
      if (turn === undefined) return;
      waitingInAll -= turn.waiting.length;
      turn.waiting.length = 0;
      turn.lasts = true;
      socket.setTimeout(0);
    },
    /** Spares a connection that waits for its handler. */
    cutSilent: (socket: Socket): void => {
      const turn = turns.get(socket);
      if (turn === undefined || turn.response.headersSent) socket.destroy();
    },
    cutSlow: (): void => {
      const latest = performance.now() - longestTurn;
      for (const [socket, { since, lasts }] of turns)
        if (!lasts && since < latest) socket.destroy();
    },
  };
}
