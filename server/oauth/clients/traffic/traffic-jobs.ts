import { lockAppState, setAppState } from "#db/app-state";
import type { Job } from "#server/jobs/job";
import { dayMs, hourMs, minuteMs, minuteSeconds } from "#server/platform/time";
import { lockApplicationRow } from "../store";
import { notifyTeam } from "../team/notify-team";
import {
  type CallOutcomeCounts,
  countedUntilKey,
  countRecentOutcomes,
  countTrafficByHour,
  findMostFrequentFailure,
  insertHours,
  listFailingApplications,
  noteConsentUse,
} from "./store";
import { rangeStart } from "./traffic";

/** An hour is counted this long after its end, because log lines are written late. */
const settled = 2 * minuteMs;

/** Counts each finished hour once, at most one day per transaction. */
export const countTrafficJob: Job = {
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
          await lockAppState(tx, countedUntilKey, rangeStart("30d", now).toISOString()),
        );
        const until = new Date(Math.min(from.getTime() + dayMs, over));
        if (until <= from) return null;
        const hours = await countTrafficByHour(tx, { from, until });
        await insertHours(tx, hours);
        await noteConsentUse(tx, { from, until });
        await setAppState(tx, countedUntilKey, until.toISOString());
        return hours.length;
      });
      if (stored === null) break;
      counts.hours += stored;
    }
    return counts;
  },
};

/** Fewer calls are noise. */
const fewestCalls = 20;
const windowMinutes = 15;
const leastShare = 0.25;
/** Factor over the day before: a constantly high error rate is no jump. */
const leastRise = 3;
/** One notice a day suffices for an incident. */
const quietMs = dayMs;
export const errorJumpNoticeKind = "errors-jumped";

const shareOf = ({ calls, errors }: CallOutcomeCounts): number =>
  calls === 0 ? 0 : errors / calls;
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

export const notifyErrorJumpsJob: Job = {
  name: "notify-error-jumps",
  cadence: { everySeconds: 5 * minuteSeconds },
  budget: 0,
  run: async (ctx) => {
    const on = ctx.database.background.query;
    const now = ctx.now();
    const since = new Date(now.getTime() - windowMinutes * minuteMs);
    const dayBefore = new Date(since.getTime() - dayMs);
    // The end is fixed, so that the linked page always shows the same calls.
    const until = new Date(Math.ceil(now.getTime() / minuteMs) * minuteMs);
    const counts = { told: 0 };
    const failing = await listFailingApplications(on, { since, fewestCalls, share: leastShare });
    for (const { clientId, ...outcomes } of failing) {
      const before = await countRecentOutcomes(on, { clientId, since: dayBefore, until: since });
      if (shareOf(outcomes) < leastRise * shareOf(before)) continue;
      const failure = await findMostFrequentFailure(on, { clientId, since });
      if (!failure) continue;
      const { method, route, status, failureCode } = failure;
      const calls = new URLSearchParams({
        outcome: "failed",
        endpoint: `${method} ${route}`,
        range: "1h",
        until: until.toISOString().slice(0, 16),
      });
      const sent = await ctx.database.transaction(async (tx) => {
        await lockApplicationRow(tx, clientId);
        return notifyTeam(ctx, tx, { clientId, right: "requests", quietMs }, (name) => ({
          kind: errorJumpNoticeKind,
          text:
            `${percent.format(shareOf(outcomes))} of the calls of “${name}” in the last ${windowMinutes} minutes failed: ` +
            `${outcomes.errors} of ${outcomes.calls}. Most of them were ${method} ${route}, answered with ${status}${failureCode === null ? "" : ` (code ${failureCode})`}. ` +
            (before.calls === 0
              ? "There was no call in the day before."
              : `Before, it was ${percent.format(shareOf(before))}.`),
          path: `/developers/apps/${clientId}/requests?${calls}`,
        }));
      });
      if (sent) counts.told += 1;
    }
    return counts;
  },
};
