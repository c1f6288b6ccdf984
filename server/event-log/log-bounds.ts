import type { Queryable } from "#db/client";
import { type Context, perProcess } from "#server/context";
import { minuteMs } from "../platform/durations";
import { eventsKept } from "./event-type";
import { type LogEnd, readLogEnd, readSeqBefore } from "./read-log";

/** Where the log begins, as looked up within the last minute. */
const beginning = perProcess("beginning of the events", () => ({ at: 0, seq: 0 }));

/** The log as a reader finds it: how far it goes, and the number after which every event can still be read. */
export interface LogBounds extends LogEnd {
  readonly oldest: number;
}

export async function readLogBounds(ctx: Context, on: Queryable): Promise<LogBounds> {
  const end = await readLogEnd(on);
  const known = beginning(ctx);
  const now = ctx.now().getTime();
  if (now - known.at >= minuteMs) {
    Object.assign(known, { at: now, seq: await readSeqBefore(on, new Date(now - eventsKept), end) });
  }
  return { ...end, oldest: Math.min(known.seq, end.seq) };
}
