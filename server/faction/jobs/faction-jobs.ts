import type { Context } from "#server/context";
import type { Priority } from "#server/game/budget";
import type { Counts, Job, Work } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { tryKeys } from "#server/users/keys/call-game";
import { readAttacks } from "../attacks/read-attacks";
import { refreshCrimes } from "../crimes/refresh-crimes";
import { refreshPositions } from "../positions/refresh-positions";
import { refreshFactionMembers } from "../refresh-members";
import { type LimitedCredentials, type SyncKind, syncSchedules } from "../sync-schedules";
import { listDueFactions } from "../sync-store";

export interface SyncQueue {
  readonly sync: SyncKind;
  readonly priority: Priority;
  /**
   * Reads one faction, notes the attempt, and says what it read.
   * @throws GameCallError
   */
  readonly read: (
    ctx: Context,
    factionId: number,
    credentials: LimitedCredentials,
  ) => Promise<Counts>;
}

/** Reads the factions that are due, the longest untried first. What the job's budget leaves over is shared out evenly. */
export async function readDueFactions(ctx: Context, work: Work, queue: SyncQueue): Promise<Counts> {
  const { sync } = queue;
  const { calls, mostCalls } = syncSchedules[sync];
  const limit = Math.floor(work.budget / calls);
  const items = await listDueFactions(ctx.database.query, {
    sync,
    now: ctx.now(),
    limit,
    keyIds: ctx.keyring.keyIds,
  });
  const share = Math.min(mostCalls, Math.max(calls, Math.floor(work.budget / items.length)));
  return processBatch(ctx, work, {
    items,
    calls: () => share,
    name: (factionId) => ({ factionId, sync }),
    each: (factionId) => readFaction(ctx, factionId, { ...queue, share }),
  });
}

/** Reads a faction with the key that has most left; where the game refuses that key, with the next. */
async function readFaction(
  ctx: Context,
  factionId: number,
  queue: SyncQueue & { share: number },
): Promise<Counts> {
  const { sync, priority, share, read } = queue;
  const { access, reads, calls } = syncSchedules[sync];
  const done = await tryKeys(
    ctx,
    { of: access, factionId, reads },
    (key) => read(ctx, factionId, { key, priority, calls: share }),
    { priority, calls },
  );
  return done ? { factions: 1, ...done } : { skipped: 1 };
}

interface SyncJob extends SyncQueue {
  readonly name: string;
  readonly everySeconds: number;
  readonly budget: number;
}

const syncJob = ({ name, everySeconds, budget, ...queue }: SyncJob): Job => ({
  name,
  cadence: { everySeconds },
  budget,
  run: (ctx, work) => readDueFactions(ctx, work, queue),
});

/** Lists the factions again that have a member whose key works, every five minutes. */
export const refreshMembers = syncJob({
  name: "refresh-members",
  everySeconds: 60,
  budget: 60,
  sync: "members",
  priority: "high",
  read: async (ctx, factionId, credentials) => ({
    members: await refreshFactionMembers(ctx, factionId, credentials),
  }),
});

/** Reads the newest attacks of every faction that has a member with faction API access, linked to a chat server or not. */
export const readFactionAttacks = syncJob({
  name: "read-faction-attacks",
  everySeconds: 30,
  budget: 250,
  sync: "attacks",
  priority: "high",
  read: readAttacks,
});

/** Reads the organized crimes of factions with faction API access every five minutes, those with the old kind every hour. */
export const readCrimes = syncJob({
  name: "read-crimes",
  everySeconds: 60,
  budget: 100,
  sync: "crimes",
  priority: "background",
  read: refreshCrimes,
});

/** Reads the positions of factions with faction API access every hour, sooner where somebody holds one that is not known. */
export const readPositions = syncJob({
  name: "read-positions",
  everySeconds: 60,
  budget: 60,
  sync: "positions",
  priority: "high",
  read: async (ctx, factionId, credentials) => ({
    positions: await refreshPositions(ctx, factionId, credentials),
  }),
});
