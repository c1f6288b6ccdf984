import type { Context } from "#server/context";
import { secondMs } from "#server/platform/durations";
import { countInbox } from "./store";

/** Events that have happened and are not in the log yet. */
export interface InboxBacklog {
  /** Counted up to 10,000. */
  readonly events: number;
  /** How long the oldest waits; 0 where none does. */
  readonly lagSeconds: number;
}

const mostCounted = 10_000;

/** How far the sequencer is behind. */
export async function inboxBacklog(ctx: Context): Promise<InboxBacklog> {
  const { events, oldest } = await countInbox(ctx.database.keyPool, mostCounted);
  const lag = oldest === null ? 0 : (ctx.now().getTime() - oldest.getTime()) / secondMs;
  return { events, lagSeconds: Math.max(0, lag) };
}
