import type { Queryable } from "#db/client";
import { type Context, perProcess } from "#server/context";
import type { Job } from "#server/jobs/job";
import { hourSeconds, minuteMs } from "../platform/time";
import { createTtlCache } from "../platform/ttl-cache";
import { eventRetentionMs } from "./event-type";
import { type LogEnd, readLogEnd, readSeqBefore } from "./read-log";
import { deleteConsentPeriods, deletePastEpochs, dropPartitions, lockLogEnd } from "./store";

export const dropOldEventsJob: Job = {
  name: "drop-old-events",
  cadence: { everySeconds: hourSeconds },
  budget: 0,
  run: (ctx) =>
    ctx.database.background.transaction(async (tx) => {
      const before = new Date(ctx.now().getTime() - eventRetentionMs);
      const periods = await deleteConsentPeriods(tx, before);
      const end = await lockLogEnd(tx);
      const partitions = end ? await dropPartitions(tx, end, before) : 0;
      return { partitions, periods, epochs: await deletePastEpochs(tx) };
    }),
};

const beginning = perProcess("beginning of the events", ({ now }) =>
  createTtlCache<"seq", number>({ now, ttl: minuteMs, most: 1 }),
);

export interface LogBounds extends LogEnd {
  readonly oldest: number;
}

export async function readLogBounds(ctx: Context, on: Queryable): Promise<LogBounds> {
  const end = await readLogEnd(on);
  const before = new Date(ctx.now().getTime() - eventRetentionMs);
  const known = beginning(ctx);
  const oldest = known.get("seq") ?? known.set("seq", await readSeqBefore(on, before, end));
  return { ...end, oldest: Math.min(oldest, end.seq) };
}
