import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { callsLeft, type Priority } from "#server/game/budget";
import { isGameCallError } from "#server/game/game-call-error";
import type { Counts, Job, Work } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { pickKey } from "#server/users/keys/pick-key";
import { retaliationClosed } from "../attacks/events";
import { readAttacks } from "../attacks/read-attacks";
import { answerableSince } from "../attacks/retaliation";
import { closeUnanswered } from "../attacks/store";
import { isKeyOutForFaction } from "../check-faction";
import { refreshCrimes } from "../crimes/refresh-crimes";
import { refreshPositions } from "../positions/refresh-positions";
import { refreshFactionMembers } from "../refresh-members";
import { listDueFactions } from "../store";
import { type SyncCredentials, type SyncKind, syncSchedules } from "../sync-schedules";

export interface SyncQueue {
  readonly sync: SyncKind;
  readonly priority: Priority;
  /**
   * Reads one faction within so many calls, notes the attempt, and says what it read.
   * @throws GameCallError
   */
  readonly read: (ctx: Context, factionId: number, credentials: SyncCredentials, calls: number) => Promise<Counts>;
}

/** Reads the factions that are due, the longest untried first. What the job's budget leaves over is shared out evenly. */
export async function readDueFactions(ctx: Context, work: Work, queue: SyncQueue): Promise<Counts> {
  const { sync } = queue;
  const { calls, mostCalls } = syncSchedules[sync];
  const limit = Math.floor(work.budget / calls);
  const items = await listDueFactions(ctx.database.query, { sync, now: ctx.now(), limit });
  const share = Math.min(mostCalls, Math.max(calls, Math.floor(work.budget / items.length)));
  return processBatch(ctx, work, {
    items,
    calls: () => share,
    name: (factionId) => ({ factionId, sync }),
    each: (factionId) => readFaction(ctx, factionId, { ...queue, share }),
  });
}

const mostKeys = 3;

/** Reads a faction with the key that has most left; where the game refuses that key, with the next. */
async function readFaction(ctx: Context, factionId: number, queue: SyncQueue & { share: number }): Promise<Counts> {
  const { sync, priority, share, read } = queue;
  const { access, calls } = syncSchedules[sync];
  const refused = new Set<string | null>();
  for (let tried = 1; ; tried++) {
    const key = await pickKey(ctx, { of: access, factionId }, refused);
    if (!key || (await callsLeft(ctx, key.playerId, priority)) < calls) return { skipped: 1 };
    try {
      return { factions: 1, ...(await read(ctx, factionId, { key, priority }, share)) };
    } catch (error) {
      if (!isGameCallError(error) || !isKeyOutForFaction(error) || tried === mostKeys) throw error;
      refused.add(key.id);
    }
  }
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
  read: (ctx, factionId, credentials, calls) => readAttacks(ctx, factionId, { ...credentials, calls }),
});

/** Reads the organized crimes of factions with faction API access every five minutes, those with the old kind every hour. */
export const readCrimes = syncJob({
  name: "read-crimes",
  everySeconds: 60,
  budget: 100,
  sync: "crimes",
  priority: "background",
  read: (ctx, factionId, credentials, calls) => refreshCrimes(ctx, factionId, { ...credentials, calls }),
});

/** Reads the positions of factions with faction API access every hour, sooner where somebody holds one that is not known. */
export const readPositions = syncJob({
  name: "read-positions",
  everySeconds: 60,
  budget: 60,
  sync: "positions",
  priority: "high",
  read: async (ctx, factionId, credentials) => ({ positions: await refreshPositions(ctx, factionId, credentials) }),
});

const mostClosedAtOnce = 500;

/** Tells readers of events of hits that nobody answered within five minutes. It asks the game nothing. */
export const closeRetaliations: Job = {
  name: "close-retaliations",
  cadence: { everySeconds: 5 },
  budget: 0,
  run: async (ctx, { signal }) => {
    for (let closed = 0; ; ) {
      const batch = await ctx.database.transaction(async (tx) => {
        const now = ctx.now();
        const hits = await closeUnanswered(tx, { before: answerableSince(now), now, limit: mostClosedAtOnce });
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
