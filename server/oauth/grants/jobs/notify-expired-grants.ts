import { lockAppState, setAppState } from "#db/app-state";
import type { Job } from "#server/jobs/job";
import { endExpiredGrants } from "../end-store";

const toldUntil = "expired-grants-told-until";

export const notifyExpiredGrants: Job = {
  name: "notify-expired-grants",
  cadence: { everySeconds: 60 },
  budget: 0,
  run: (ctx) =>
    ctx.database.background.transaction(async (tx) => {
      const until = ctx.now();
      const before = await lockAppState(tx, toldUntil, until.toISOString());
      const after = new Date(before);
      if (after >= until) return { expired: 0 };
      await setAppState(tx, toldUntil, until.toISOString());
      return { expired: await endExpiredGrants(ctx, tx, { after, until }) };
    }),
};
