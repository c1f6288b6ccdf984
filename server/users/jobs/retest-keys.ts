import { isGameError } from "#server/game/game-error";
import { isOutage } from "#server/game/outage";
import type { Job } from "#server/jobs/job";
import { askGame } from "../keys/ask-game";
import { openSealedKey } from "../keys/pick-key";
import { listRestingKeys } from "../keys/store";

const monday = 1;

/** Asks once a day whether a key works again whose owner was away, and on Mondays about those that were paused. */
export const retestKeys: Job = {
  name: "retest-keys",
  cadence: { cron: "20 0 * * *" },
  budget: 500,
  run: async (ctx, { budget, signal }) => {
    const states = ctx.now().getUTCDay() === monday ? (["disabled", "paused"] as const) : (["disabled"] as const);
    const resting = await listRestingKeys(ctx.database.query, states, budget);
    const counts = { awake: 0, resting: 0 };
    for (const sealed of resting) {
      if (signal.aborted) break;
      const key = await openSealedKey(ctx, { ...sealed, lastOkAt: null });
      if (!key) continue;
      try {
        await askGame(ctx, { key, priority: "background", call: (game, text) => game.keyInfo(text) });
        counts.awake++;
      } catch (error) {
        if (!isGameError(error) || isOutage(error.kind)) throw error;
        counts.resting++;
      }
    }
    return counts;
  },
};
