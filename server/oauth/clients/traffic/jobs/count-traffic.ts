import { lockAppState, setAppState } from "#db/app-state";
import type { Job } from "#server/jobs/job";
import { dayMs, hourMs, minuteMs, minuteSeconds } from "#server/platform/time";
import { countedUntil, countHours, insertHours, noteLastUse } from "../store";
import { rangeStart } from "../traffic";

/** Lines are written a moment after their call. */
const settled = 2 * minuteMs;

/** Each finished hour once; a backlog one day per run. */
export const countTraffic: Job = {
  name: "count-traffic",
  cadence: { everySeconds: 5 * minuteSeconds },
  budget: 0,
  run: async (ctx, { signal }) => {
    const now = ctx.now();
    const over = Math.floor((now.getTime() - settled) / hourMs) * hourMs;
    const counts = { hours: 0 };
    while (!signal.aborted) {
      const stored = await ctx.database.background.transaction(async (tx) => {
        const from = new Date(
          await lockAppState(tx, countedUntil, rangeStart("30d", now).toISOString()),
        );
        const until = new Date(Math.min(from.getTime() + dayMs, over));
        if (until <= from) return null;
        const hours = [...(await countHours(tx, { from, until }))].flatMap(([clientId, ofClient]) =>
          ofClient.map((hour) => ({ clientId, ...hour })),
        );
        await insertHours(tx, hours);
        await noteLastUse(tx, { from, until });
        await setAppState(tx, countedUntil, until.toISOString());
        return hours.length;
      });
      if (stored === null) break;
      counts.hours += stored;
    }
    return counts;
  },
};
