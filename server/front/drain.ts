import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "#server/context";
import { within } from "#server/platform/within";

export interface DrainOptions {
  readonly ctx: Context;
  readonly server: Server;
  /** Milliseconds between "not ready" and refusing connections, in which a load balancer looks elsewhere. */
  readonly notice: number;
  /** Milliseconds for requests under way; what is left then is cut. */
  readonly patience: number;
}

const idleEvery = 50;

/** Stops in order: says that it is not ready, takes no more connections, answers what is under way, lets go of its parts. */
export async function drain({ ctx, server, notice, patience }: DrainOptions): Promise<void> {
  ctx.readiness.drain();
  await wait(notice);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose answer has just been sent is idle, and would otherwise be kept for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), idleEvery);
  await within(patience, closed).catch(() => server.closeAllConnections());
  clearInterval(idle);
  await ctx.close();
}
