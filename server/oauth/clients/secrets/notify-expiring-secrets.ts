import { lockAppState, setAppState } from "#db/app-state";
import type { Job } from "#server/jobs/job";
import { dayMs, hourSeconds } from "#server/platform/time";
import { notifyTeam } from "../team/notify-team";
import { listExpiring } from "./store";

/** Days before the end. */
const warnings = [14, 2];
const toldUntil = "expiring-secrets-told-until";

/** Each secret passes each warning once, because every run goes on where the last one ended. */
export const notifyExpiringSecrets: Job = {
  name: "notify-expiring-secrets",
  cadence: { everySeconds: hourSeconds },
  budget: 0,
  run: (ctx) =>
    ctx.database.background.transaction(async (tx) => {
      const now = ctx.now();
      const before = new Date(await lockAppState(tx, toldUntil, now.toISOString()));
      if (before >= now) return { told: 0 };
      await setAppState(tx, toldUntil, now.toISOString());
      let told = 0;
      for (const days of warnings) {
        const ahead = (at: Date) => new Date(at.getTime() + days * dayMs);
        const expiring = await listExpiring(tx, { after: ahead(before), until: ahead(now) });
        for (const { clientId, name, expiresAt } of expiring)
          await notifyTeam(ctx, tx, { clientId, right: "secrets" }, (application) => ({
            kind: "secret-expiring",
            text: `The secret “${name}” of “${application}” expires in ${days} days, on ${expiresAt.toISOString().slice(0, 10)} (TCT). Create a new one and put it in place before then.`,
            path: `/developers/apps/${clientId}/credentials`,
          }));
        told += expiring.length;
      }
      return { told };
    }),
};
