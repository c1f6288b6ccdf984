import type { Context } from "#server/context";
import { isGameCallError, isOutage } from "#server/game/game-call-error";
import type { Counts, Job } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { callGame } from "../keys/call-game";
import { unsealKey } from "../keys/pick-key";
import { listSuspendedKeys, type SealedKeyRow } from "../keys/store";

const monday = 1;

/** Retests keys of absent owners daily, and paused keys on Mondays. */
export const retestKeysJob: Job = {
  name: "retest-keys",
  cadence: { cron: "20 0 * * *" },
  budget: 500,
  run: async (ctx, work) => {
    const states =
      ctx.now().getUTCDay() === monday
        ? (["disabled", "paused"] as const)
        : (["disabled"] as const);
    return processBatch(ctx, work, {
      items: await listSuspendedKeys(ctx.database.query, {
        states,
        keyIds: ctx.keyring.keyIds,
        limit: work.budget,
      }),
      name: ({ id }) => ({ keyId: id }),
      each: (sealed) => retest(ctx, sealed),
    });
  },
};

async function retest(ctx: Context, sealed: SealedKeyRow): Promise<Counts> {
  // With `lastOkAt` null, the first success is stored at once and reactivates the key.
  const key = unsealKey(ctx, { ...sealed, lastOkAt: null });
  if (!key) return { skipped: 1 };
  try {
    await callGame(ctx, { key, priority: "background", call: (game, text) => game.keyInfo(text) });
    return { awake: 1 };
  } catch (error) {
    if (!isGameCallError(error) || isOutage(error.kind)) throw error;
    return { resting: 1 };
  }
}
