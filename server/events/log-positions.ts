import type { Queryable } from "#db/client";
import { type Context, perProcess } from "#server/context";
import { eventsKept } from "../event-log/event-type";
import { findLogEnd, type LogEnd } from "../event-log/store";
import { minuteMs } from "../platform/durations";
import { findSeqBefore } from "./visible-store";

/** How far the log goes. */
export const readLogEnd = (on: Queryable): Promise<LogEnd> => findLogEnd(on);

/** Where the log begins, as looked up within the last minute. */
const beginning = perProcess("beginning of the events", () => ({ at: 0, seq: 0 }));

/** The log as a reader finds it: how far it goes, and the number after which every event can still be read. */
export interface LogBounds extends LogEnd {
  readonly oldest: number;
}

export async function readLogBounds(ctx: Context, on: Queryable): Promise<LogBounds> {
  const end = await findLogEnd(on);
  const known = beginning(ctx);
  const now = ctx.now().getTime();
  if (now - known.at >= minuteMs) {
    Object.assign(known, { at: now, seq: await readSeqBefore(on, new Date(now - eventsKept), end) });
  }
  return { ...end, oldest: Math.min(known.seq, end.seq) };
}

/** The number after which everything happened at this instant or later; the end of the log where nothing did. */
export const readSeqBefore = async (on: Queryable, at: Date, end: LogEnd): Promise<number> =>
  (await findSeqBefore(on, at)) ?? end.seq;
