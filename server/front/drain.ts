import type { Server } from "node:http";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Context } from "#server/context";
import { within } from "#server/platform/within";

export interface DrainOptions {
  readonly ctx: Context;
  readonly server: Server;
  /** Milliseconds between "not ready" and refusing connections. */
  readonly notice: number;
  /** Milliseconds for requests under way; what is left then is cut. */
  readonly timeout?: number;
  /** Milliseconds for letting go of the parts; one that does not answer is left. */
  readonly closing?: number;
}

const usualTimeout = 12_000;
const usualClosing = 6_000;
/** The part of `closing` that what is under way gets; the rest is for saying goodbye to the database. */
const windUpShare = 0.5;

/** The part of `timeout` in which open streams end, one after the other. */
const streamsShare = 0.25;
const idleEvery = 50;
/** Requests that keep coming while the process is not ready cannot delay its end. */
const longestTaking = 1_500;
/** Without a new connection for so many turns and milliseconds, the accept queue is empty. */
const quietTurns = 10;
const quietTime = 20;

/** Stops in order: says that it is not ready, takes no more connections, answers what is under way, lets go of its parts. */
export async function drain({
  ctx,
  server,
  notice,
  timeout = usualTimeout,
  closing = usualClosing,
}: DrainOptions): Promise<void> {
  ctx.readiness.drain();
  ctx.eventFeed.drain(notice + timeout * streamsShare);
  await wait(notice);
  await takeWaiting(server);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection is idle right after its answer, and would otherwise be kept for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), idleEvery);
  await within(timeout, closed).catch(() => server.closeAllConnections());
  clearInterval(idle);
  await within(closing, ctx.close(closing * windUpShare));
}

/**
 * Node accepts one connection at each turn of its loop. The others wait with the system, their requests sent, and would be
 * reset when we stop listening; on a busy machine some are still on their way to it.
 */
async function takeWaiting(server: Server): Promise<void> {
  let taken = 0;
  let latest = performance.now();
  const note = () => {
    taken++;
    latest = performance.now();
  };
  server.on("connection", note);
  const end = latest + longestTaking;
  // Both are asked for: where our own turns are slow, the time passes with connections still in the queue.
  for (let idleTurns = 0; idleTurns < quietTurns || performance.now() < latest + quietTime; ) {
    if (performance.now() > end) break;
    const before = taken;
    await nextTurn();
    idleTurns = taken > before ? 0 : idleTurns + 1;
  }
  server.off("connection", note);
}
