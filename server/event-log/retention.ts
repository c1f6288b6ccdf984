import type { Queryable } from "#db/client";
import { type Context, perProcess } from "#server/context";
import type { Job } from "#server/jobs/job";
import { hourSeconds, minuteMs } from "../platform/time";
import { eventsKept } from "./event-type";
import { type LogEnd, readLogEnd, readSeqBefore } from "./read-log";
import { dropPartitions, forgetEpochs, forgetPeriods, lockLogEnd } from "./store";

/** Drops event partitions past the retention, and older consent periods. */
export const dropOldEvents: Job = {
  name: "drop-old-events",
  cadence: { everySeconds: hourSeconds },
  budget: 0,
  run: (ctx) =>
    ctx.database.background.transaction(async (tx) => {
      const before = new Date(ctx.now().getTime() - eventsKept);
      const periods = await forgetPeriods(tx, before);
      const end = await lockLogEnd(tx);
      const partitions = end ? await dropPartitions(tx, end, before) : 0;
      return { partitions, periods, epochs: await forgetEpochs(tx) };
    }),
};

const beginning = perProcess("beginning of the events", () => ({ at: 0, seq: 0 }));

export interface LogBounds extends LogEnd {
  readonly oldest: number;
}

export async function readLogBounds(ctx: Context, on: Queryable): Promise<LogBounds> {
  const end = await readLogEnd(on);
  const known = beginning(ctx);
  const now = ctx.now().getTime();
  if (now - known.at >= minuteMs) {
    Object.assign(known, {
      at: now,
      seq: await readSeqBefore(on, new Date(now - eventsKept), end),
    });
  }
  return { ...end, oldest: Math.min(known.seq, end.seq) };
}
