import { lockAppState, setAppState } from "#db/app-state";
import { recordEvents } from "#server/event-log/record-events";
import type { Job } from "#server/jobs/job";
import { grantEnded } from "../events";
import { listExpiredGrants } from "../store";

const toldUntil = "expired-grants-told-until";

/** Tells applications of grants whose time is over. What ended otherwise is told by the act that ended it. */
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
      const expired = await listExpiredGrants(tx, { after, until });
      await setAppState(tx, toldUntil, until.toISOString());
      const ended = { type: grantEnded, data: { reason: "expired" } } as const;
      await recordEvents(
        ctx,
        tx,
        expired.map(({ grantId, ...whose }) => ({ ...ended, subject: grantId, grantId, ...whose })),
      );
      return { expired: expired.length };
    }),
};
