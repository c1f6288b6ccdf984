import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { wasNotified } from "#server/notices/notices";
import { dayMs, minuteMs, minuteSeconds } from "#server/platform/time";
import {
  listFailingApplications,
  lockOwner,
  mostFrequentFailure,
  type Outcomes,
  outcomesBefore,
} from "../store";

/** A share means something from so many calls on. */
const fewestCalls = 20;
const windowMinutes = 15;
/** Of the window's calls. */
const leastShare = 0.25;
/** So many times the share of the day before is a jump; who always has many errors knows. */
const leastRise = 3;
/** A developer hears of an incident once. */
const quietMs = dayMs;
/** The kind of the notice. */
export const errorsJumped = "errors-jumped";

const shareOf = ({ calls, errors }: Outcomes): number => (calls === 0 ? 0 : errors / calls);
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

/** Tells the owners of applications whose errors jumped in the last minutes, against the day before. */
async function notifyOwners(ctx: Context): Promise<{ told: number }> {
  const on = ctx.database.background.query;
  const now = ctx.now();
  const since = new Date(now.getTime() - windowMinutes * minuteMs);
  const dayBefore = new Date(since.getTime() - dayMs);
  const counts = { told: 0 };
  for (const failing of await listFailingApplications(on, {
    since,
    fewestCalls,
    share: leastShare,
  })) {
    const { clientId } = failing;
    const before = await outcomesBefore(on, { clientId, since: dayBefore, until: since });
    if (shareOf(failing) < leastRise * shareOf(before)) continue;
    const failure = await mostFrequentFailure(on, { clientId, since });
    counts.told += await ctx.database.transaction(async (tx) => {
      const application = await lockOwner(tx, clientId);
      if (!application || !failure) return 0;
      const { ownerId: accountId, name } = application;
      const page = `/developers/apps/${clientId}/requests`;
      if (
        await wasNotified(tx, {
          accountId,
          kind: errorsJumped,
          page,
          since: new Date(now.getTime() - quietMs),
        })
      )
        return 0;
      const { method, route, status, failureCode } = failure;
      const text =
        `${percent.format(shareOf(failing))} of the calls of “${name}” in the last ${windowMinutes} minutes failed: ` +
        `${failing.errors} of ${failing.calls}. Most of them were ${method} ${route}, answered with ${status}${failureCode === null ? "" : ` (code ${failureCode})`}. ` +
        (before.calls === 0
          ? "There was no call in the day before."
          : `Before, it was ${percent.format(shareOf(before))}.`);
      // The range ends here, so that the page shows the same calls whenever it is opened.
      const until = new Date(Math.ceil(now.getTime() / minuteMs) * minuteMs)
        .toISOString()
        .slice(0, 16);
      const calls = new URLSearchParams({
        outcome: "failed",
        endpoint: `${method} ${route}`,
        range: "1h",
        until,
      });
      await ctx.notify(tx, accountId, { kind: errorsJumped, text, path: `${page}?${calls}` });
      return 1;
    });
  }
  return counts;
}

export const notifyErrorJumps: Job = {
  name: "notify-error-jumps",
  cadence: { everySeconds: 5 * minuteSeconds },
  budget: 0,
  run: notifyOwners,
};
