import type { Server } from "node:http";
import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import type { Context } from "#server/context";
import { within } from "#server/platform/within";

interface DrainOptions {
  readonly ctx: Context;
  readonly server: Server;
  /** Milliseconds between "not ready" and refusing connections. */
  readonly notice: number;
  /** Milliseconds for pending requests. */
  readonly timeout?: number;
  /** Milliseconds for closing the context. */
  readonly closing?: number;
}

const usualTimeout = 12_000;
const usualClosing = 6_000;
/** Share of `closing` for jobs. The rest is for closing the database. */
const windUpShare = 0.5;

/** Share of `timeout` in which streams end one after the other. */
const streamsShare = 0.25;
const idleEvery = 50;
/** Milliseconds. A steady flow of connections would never end. */
const longestTaking = 1_500;
/** Without connections for so many turns and milliseconds, the accept queue is empty. */
const quietTurns = 10;
const quietTime = 20;

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
  const idle = setInterval(() => server.closeIdleConnections(), idleEvery);
  await within(timeout, closed).catch(() => server.closeAllConnections());
  clearInterval(idle);
  await within(closing, ctx.close(closing * windUpShare));
}

/** Node accepts one connection per turn; `close` would reset those queued in the kernel. */
async function takeWaiting(server: Server): Promise<void> {
  let taken = 0;
  let latest = performance.now();
  const note = () => {
    taken++;
    latest = performance.now();
  };
  server.on("connection", note);
  const end = latest + longestTaking;
  // Slow turns alone could use up the time while connections are queued.
  for (let idleTurns = 0; idleTurns < quietTurns || performance.now() < latest + quietTime; ) {
    if (performance.now() > end) break;
    const before = taken;
    await nextTurn();
    idleTurns = taken > before ? 0 : idleTurns + 1;
  }
  server.off("connection", note);
}
