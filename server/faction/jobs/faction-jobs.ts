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
  readonly read: (
    ctx: Context,
    factionId: number,
    credentials: LimitedCredentials,
  ) => Promise<Counts>;
}

/** Reads due factions, longest untried first; the rest of the job's budget is split evenly. */
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

/** Uses the key with the most calls left; if the game refuses it, the next. */
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

export const readFactionAttacks = syncJob({
  name: "read-faction-attacks",
  everySeconds: 30,
  budget: 250,
  sync: "attacks",
  priority: "high",
  read: readAttacks,
});

/** Every five minutes; hourly for factions with the old kind of crimes. */
export const readCrimes = syncJob({
  name: "read-crimes",
  everySeconds: 60,
  budget: 100,
  sync: "crimes",
  priority: "background",
  read: refreshCrimes,
});

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
