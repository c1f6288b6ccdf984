import type { Queryable } from "#db/client";
import { type Context, perProcess } from "#server/context";
import { findLogEnd, type LogEnd } from "../event-log/store";
import { minuteMs, weekMs } from "../platform/durations";
import { findSeqBefore } from "./visible-store";

/** Events are kept for so long. */
export const eventsKept = weekMs;

/** How far the log goes. */
export const readLogEnd = (on: Queryable): Promise<LogEnd> => findLogEnd(on);

/** Where the log begins, as looked up within the last minute. */
const beginning = perProcess("beginning of the events", () => ({ at: 0, seq: 0 }));

/** How far the log goes, and the number after which every event can still be read. */
export async function readLogBounds(ctx: Context, on: Queryable): Promise<LogEnd & { readonly oldest: number }> {
  const end = await findLogEnd(on);
  const known = beginning(ctx);
  const now = ctx.now().getTime();
  if (now - known.at >= minuteMs) {
    const before = await findSeqBefore(on, new Date(now - eventsKept));
    Object.assign(known, { at: now, seq: before ?? end.seq });
  }
  return { ...end, oldest: Math.min(known.seq, end.seq) };
}

/** The number after which everything happened at this instant or later; the end of the log where nothing did. */
export const readSeqBefore = async (on: Queryable, at: Date): Promise<number> =>
  (await findSeqBefore(on, at)) ?? (await findLogEnd(on)).seq;
