import type { Context } from "#server/context";
import { personalStatsSelection, selectionsByCall } from "#server/game/selections";
import type { Counts, Job, RunLimits } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { dayMs } from "#server/platform/time";
import { tryKeys } from "#server/users/keys/call-game";
import { refreshPlayer } from "#server/users/refresh-player";
import { freshnessCutoff } from "./contract";
import { listOpponentsToRead } from "./store";

const foughtDays = 90;
/** Lists more players than a run handles, so that its counts show the length of the queue. */
const listedPerCall = 3;

/** The model needs the public counters of fought players. Only lent keys read them. */
export const readOpponentsJob: Job = {
  name: "read-opponents",
  cadence: { everySeconds: 60 },
  budget: 20,
  run: (ctx, work) => refreshOpponents(ctx, work, dayMs),
};

export async function refreshOpponents(
  ctx: Context,
  work: RunLimits,
  triedAgainAfter: number,
): Promise<Counts> {
  const now = ctx.now();
  const due = await listOpponentsToRead(ctx.database.query, {
    since: new Date(now.getTime() - foughtDays * dayMs),
    readSince: freshnessCutoff(now),
    triedBefore: new Date(now.getTime() - triedAgainAfter),
    limit: work.budget * listedPerCall,
  });
  return processBatch(ctx, work, {
    items: due,
    triedAt: ({ lastAttempt }) => lastAttempt,
    name: ({ playerId }) => ({ playerId }),
    each: ({ playerId }) => readOne(ctx, playerId),
  });
}

async function readOne(ctx: Context, playerId: number): Promise<Counts> {
  const priority = "background";
  const read = await tryKeys(
    ctx,
    { of: "lenders", reads: [...selectionsByCall.player, personalStatsSelection] },
    (key) => refreshPlayer(ctx, { playerId, key, priority }),
    { priority, calls: 1 },
  );
  return read ? { read: 1 } : { skipped: 1 };
}
