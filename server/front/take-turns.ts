import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The answer that a connection gets at the moment, and the requests that it has sent besides. */
interface Turn {
  response: ServerResponse;
  /** Milliseconds of `performance.now()`. */
  since: number;
  /** Its answer lasts, and ends by rules of its own. */
  lasts: boolean;
  readonly waiting: [IncomingMessage, ServerResponse][];
}

export interface TurnLimits {
  /** Requests that a connection may send ahead; with one more it is cut. */
  readonly mostWaiting: number;
  /** Requests that all connections together may have sent ahead; the one that sends one more is cut. */
  readonly mostWaitingInAll: number;
  /** Milliseconds from the beginning of a request's turn until its answer has been taken. */
  readonly longestTurn: number;
}

/**
 * Serves the requests of one connection one after the other (RFC 9112 section 9.3.2). The next begins when the client has
 * taken the answer before it, so that a connection holds one answer at a time, however many it asks for and however slowly
 * it reads.
 */
export function takeTurns(
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
      // A connection that ends with this answer takes no other.
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
    /**
     * Lets an answer last that ends by rules of its own, and the connection with it. What was sent behind it is not carried out
     * (RFC 9112 section 9.6); a connection that sends more is cut.
     */
    keepOpen: (socket: Socket): void => {
      const turn = turns.get(socket);
      if (turn === undefined) return;
      waitingInAll -= turn.waiting.length;
      turn.waiting.length = 0;
      turn.lasts = true;
      socket.setTimeout(0);
    },
    /** Cuts a connection on which nothing moves, unless its handler has not said anything yet. */
    cutSilent: (socket: Socket): void => {
      const turn = turns.get(socket);
      if (turn === undefined || turn.response.headersSent) socket.destroy();
    },
    /** Cuts the connections with a turn that lasts too long. */
    cutSlow: (): void => {
      const latest = performance.now() - longestTurn;
      for (const [socket, { since, lasts }] of turns)
        if (!lasts && since < latest) socket.destroy();
    },
  };
}
