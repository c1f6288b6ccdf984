import { recordEvents } from "#server/event-log/record-events";
import type { Job } from "#server/jobs/job";
import { retaliationClosed } from "../attacks/events";
import { answerableSince } from "../attacks/retaliation";
import { closeUnanswered } from "../attacks/store";

const batchSize = 500;

/** Tells readers of events of hits that nobody answered within five minutes. It asks the game nothing. */
export const closeRetaliations: Job = {
  name: "close-retaliations",
  cadence: { everySeconds: 5 },
  budget: 0,
  run: async (ctx, { signal }) => {
    for (let closed = 0; ; ) {
      const batch = await ctx.database.transaction(async (tx) => {
        const now = ctx.now();
        const hits = await closeUnanswered(tx, { before: answerableSince(now), now, limit: batchSize });
        const expired = { type: retaliationClosed, data: { reason: "expired" } } as const;
        await recordEvents(
          ctx,
          tx,
          hits.map(({ code, factionId }) => ({ ...expired, subject: code, factionId })),
        );
        return hits.length;
      });
      closed += batch;
      if (batch < batchSize || signal.aborted) return { closed };
    }
  },
};
