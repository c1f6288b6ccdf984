import type { Server } from "node:http";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Context } from "#server/context";
import { within } from "#server/platform/within";

export interface DrainOptions {
  readonly ctx: Context;
  readonly server: Server;
  /** Milliseconds between "not ready" and refusing connections. */
  readonly notice: number;
  /** Milliseconds for pending requests; the rest is cut. */
  readonly timeout?: number;
  /** Milliseconds for closing the parts; a silent one is abandoned. */
  readonly closing?: number;
}

const usualTimeout = 12_000;
const usualClosing = 6_000;
/** Share of `closing` for pending work; the rest is for the database's goodbye. */
const windUpShare = 0.5;

/** Share of `timeout` in which streams end one after the other. */
const streamsShare = 0.25;
const idleEvery = 50;
/** A steady flow of requests cannot delay the end beyond this. */
const longestTaking = 1_500;
/** After so many turns and milliseconds without a connection, the accept queue is empty. */
const quietTurns = 10;
const quietTime = 20;

/** Graceful stop: not ready, no new connections, pending answers, then the parts. */
export async function drain({
  ctx,
  server,
  notice,
  timeout = usualTimeout,
  closing = usualClosing,
}: DrainOptions): Promise<void> {
  ctx.presence.drain();
  ctx.events.feed.drain(notice + timeout * streamsShare);
  await wait(notice);
  await takeWaiting(server);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection becomes idle after its answer, and would be kept for a next request.
  const idle = setInterval(() => server.closeIdleConnections(), idleEvery);
  await within(timeout, closed).catch(() => server.closeAllConnections());
  clearInterval(idle);
  await within(closing, ctx.close(closing * windUpShare));
}

/**
 * Node accepts one connection per turn of its loop; the others are queued in the kernel, with
 * requests, and would be reset. On a busy machine some are still on the way.
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
  // Both, because with slow turns the time passes while connections are still queued.
  for (let idleTurns = 0; idleTurns < quietTurns || performance.now() < latest + quietTime; ) {
    if (performance.now() > end) break;
    const before = taken;
    await nextTurn();
    idleTurns = taken > before ? 0 : idleTurns + 1;
  }
  server.off("connection", note);
}
