import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { hasNotice } from "#server/notices/notices";
import { dayMs, minuteMs, minuteSeconds } from "#server/platform/time";
import { findTeam, lockApplicationRow } from "../../store";
import {
  listFailingApplications,
  mostFrequentFailure,
  type Outcomes,
  outcomesBefore,
} from "../store";

/** Fewer calls are noise. */
const fewestCalls = 20;
const windowMinutes = 15;
const leastShare = 0.25;
/** Compared with the day before: a constantly high error rate is no jump. */
const leastRise = 3;
/** One notice per incident. */
const quietMs = dayMs;
export const errorsJumped = "errors-jumped";

const shareOf = ({ calls, errors }: Outcomes): number => (calls === 0 ? 0 : errors / calls);
const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });

async function notifyJumps(ctx: Context): Promise<{ told: number }> {
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
      await lockApplicationRow(tx, clientId);
      const team = await findTeam(tx, clientId, "requests");
      const [accountId] = team?.accountIds ?? [];
      if (!team || !accountId || !failure) return 0;
      const { name } = team;
      const page = `/developers/apps/${clientId}/requests`;
      if (
        await hasNotice(tx, {
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
      // A fixed end, so that the page always shows the same calls.
      const until = new Date(Math.ceil(now.getTime() / minuteMs) * minuteMs)
        .toISOString()
        .slice(0, 16);
      const calls = new URLSearchParams({
        outcome: "failed",
        endpoint: `${method} ${route}`,
        range: "1h",
        until,
      });
      const notice = { kind: errorsJumped, text, path: `${page}?${calls}` };
      await ctx.notify(
        tx,
        team.accountIds.map((each) => ({ accountId: each, ...notice })),
      );
      return 1;
    });
  }
  return counts;
}

export const notifyErrorJumps: Job = {
  name: "notify-error-jumps",
  cadence: { everySeconds: 5 * minuteSeconds },
  budget: 0,
  run: notifyJumps,
};
