import type { Context } from "#server/context";
import { selectionsByCall } from "#server/game/selections";
import type { Counts, Job } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { hourSeconds, secondMs } from "#server/platform/time";
import { tryKeys } from "../keys/call-game";
import type { KeyQuery } from "../keys/store";
import { refreshPlayer } from "../refresh-player";
import { type DuePlayer, listDuePlayers } from "../store";

const ownersAfterSeconds = hourSeconds;
/** The list of members is read far more often, and lacks only their chat ids. */
const membersAfterSeconds = 12 * hourSeconds;

/** Lists more players than a run handles, so that its counts show the length of the queue. */
const listedPerCall = 3;

export const refreshUsersJob: Job = {
  name: "refresh-users",
  cadence: { everySeconds: 60 },
  budget: 60,
  run: async (ctx, work) => {
    const now = ctx.now().getTime();
    const due = await listDuePlayers(ctx.database.query, {
      ownersBefore: new Date(now - ownersAfterSeconds * secondMs),
      membersBefore: new Date(now - membersAfterSeconds * secondMs),
      limit: work.budget * listedPerCall,
    });
    return processBatch(ctx, work, {
      items: due,
      calls: callsOf,
      triedAt: ({ lastAttempt }) => lastAttempt,
      name: ({ playerId }) => ({ playerId }),
      each: (player) => refresh(ctx, player),
    });
  },
};

const callsOf = (player: DuePlayer) => (player.ownsKey ? 2 : 1);

async function refresh(ctx: Context, player: DuePlayer): Promise<Counts> {
  const { playerId, factionId } = player;
  const reads = selectionsByCall.player;
  const priority = "background";
  const work = { priority, calls: callsOf(player) } as const;
  const readWith = (choice: KeyQuery) =>
    tryKeys(ctx, choice, (key) => refreshPlayer(ctx, { playerId, key, priority }), work);
  const refreshed =
    (player.ownsKey && (await readWith({ of: "player", playerId, reads }))) ||
    (factionId !== null && (await readWith({ of: "members", factionId, reads })));
  return refreshed ? { refreshed: 1 } : { skipped: 1 };
}
