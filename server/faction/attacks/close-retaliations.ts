import { recordEvents } from "#server/event-log/record-events";
import type { Job } from "#server/jobs/job";
import { retaliationClosed } from "./events";
import { answerableSince } from "./retaliation";
import { closeUnanswered } from "./store";

const mostClosedAtOnce = 500;

/** Publishes the end of hits that were not answered within five minutes; makes no game calls. */
export const closeRetaliations: Job = {
  name: "close-retaliations",
  cadence: { everySeconds: 5 },
  budget: 0,
  run: async (ctx, { signal }) => {
    for (let closed = 0; ; ) {
      const batch = await ctx.database.transaction(async (tx) => {
        const now = ctx.now();
        const hits = await closeUnanswered(tx, {
          before: answerableSince(now),
          now,
          limit: mostClosedAtOnce,
        });
        const expired = { type: retaliationClosed, data: { reason: "expired" } } as const;
        await recordEvents(
          ctx,
          tx,
          hits.map(({ code, factionId }) => ({ ...expired, subject: code, factionId })),
        );
        return hits.length;
      });
      closed += batch;
      if (batch < mostClosedAtOnce || signal.aborted) return { closed };
    }
  },
};
