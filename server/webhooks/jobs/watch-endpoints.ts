import type { Context } from "#server/context";
import type { Job } from "#server/jobs/job";
import { hourMs, minuteSeconds } from "#server/platform/durations";
import { disableEndpoint, notifyFailure } from "../disable-endpoint";
import { streakOf } from "../endpoint";
import { noticeDue } from "../endpoint-health";
import { listFailing, lockEndpointById, setNotice } from "../endpoint-store";

/** Sends the notices that are due by the clock, also where the next attempt is hours away, and switches off what is exhausted. */
export async function watchEndpoints(ctx: Context): Promise<{ told: number; disabled: number }> {
  const counts = { told: 0, disabled: 0 };
  const failing = await listFailing(ctx.database.query, new Date(ctx.now().getTime() - hourMs));
  for (const { id } of failing)
    await ctx.database.transaction(async (tx) => {
      const endpoint = await lockEndpointById(tx, id);
      if (endpoint?.state !== "enabled") return;
      const notice = noticeDue(streakOf(endpoint), ctx.now(), endpoint.notice ?? undefined);
      if (!notice) return;
      if (notice === "switched-off") {
        await disableEndpoint(ctx, tx, endpoint, "exhausted");
        counts.disabled += 1;
      } else {
        await setNotice(tx, id, notice);
        await notifyFailure(ctx, tx, endpoint, notice);
        counts.told += 1;
      }
    });
  return counts;
}

/** Tells developers of endpoints that fail, and switches off those that failed for too long. */
export const watchWebhooks: Job = {
  name: "watch-webhooks",
  cadence: { everySeconds: minuteSeconds },
  budget: 0,
  run: (ctx) => watchEndpoints(ctx),
};
