import type { Context } from "#server/context";
import type { Priority } from "#server/game/budget";
import { isGameCallError, isOutage } from "#server/game/game-call-error";
import type { Counts, Job, RunLimits } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { tryKeys } from "#server/users/keys/call-game";
import type { GameKey } from "#server/users/keys/pick-key";
import { readAttacks } from "./attacks/read-attacks";
import { refreshCrimes, refreshStaleCrimeTypes } from "./crimes/refresh-crimes";
import { findMember } from "./positions/membership";
import { refreshPositions } from "./positions/refresh-positions";
import { listingIsStale, refreshFactionMembers } from "./refresh-members";
import { askForSharingChoice } from "./scores";
import { findMembersListedAt } from "./store";
import {
  type BudgetedCredentials,
  type SyncCredentials,
  type SyncKind,
  syncSchedules,
} from "./sync-schedules";
import { isSyncDue, listDueFactions } from "./sync-store";

export interface SyncTask {
  readonly sync: SyncKind;
  readonly priority: Priority;
  readonly read: (
    ctx: Context,
    factionId: number,
    credentials: BudgetedCredentials,
  ) => Promise<Counts>;
}

/** Reads the longest untried factions first, and splits the job's budget evenly among them. */
export async function syncDueFactions(
  ctx: Context,
  work: RunLimits,
  queue: SyncTask,
): Promise<Counts> {
  const { sync, priority, read } = queue;
  const { access, reads, calls, mostCalls } = syncSchedules[sync];
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
    each: async (factionId): Promise<Counts> => {
      const done = await tryKeys(
        ctx,
        { of: access, factionId, reads },
        (key) => read(ctx, factionId, { key, priority, calls: share }),
        { priority, calls },
      );
      return done ? { factions: 1, ...done } : { skipped: 1 };
    },
  });
}

interface SyncJob extends SyncTask {
  readonly name: string;
  readonly everySeconds: number;
  readonly budget: number;
}

const syncJob = ({ name, everySeconds, budget, ...queue }: SyncJob): Job => ({
  name,
  cadence: { everySeconds },
  budget,
  run: (ctx, work) => syncDueFactions(ctx, work, queue),
});

export const refreshMembersJob = syncJob({
  name: "refresh-members",
  everySeconds: 60,
  budget: 60,
  sync: "members",
  priority: "high",
  read: async (ctx, factionId, credentials) => ({
    members: await refreshFactionMembers(ctx, factionId, credentials),
  }),
});

export const readAttacksJob = syncJob({
  name: "read-faction-attacks",
  everySeconds: 30,
  budget: 250,
  sync: "attacks",
  priority: "high",
  read: readAttacks,
});

export const readCrimesJob = syncJob({
  name: "read-crimes",
  everySeconds: 60,
  budget: 100,
  sync: "crimes",
  priority: "background",
  read: refreshCrimes,
});

export const readPositionsJob = syncJob({
  name: "read-positions",
  everySeconds: 60,
  budget: 60,
  sync: "positions",
  priority: "high",
  read: async (ctx, factionId, credentials) => ({
    positions: await refreshPositions(ctx, factionId, credentials),
  }),
});

/** Positions come first, because the rights to the other data depend on them. */
const privateSyncs = [
  { sync: "positions", read: refreshPositions },
  { sync: "attacks", read: readAttacks },
  { sync: "crimes", read: refreshCrimes },
] as const;

/** @throws GameCallError */
export async function refreshAfterSignIn(
  ctx: Context,
  { factionId, key }: { factionId: number | null; key: GameKey },
): Promise<void> {
  if (factionId !== null) {
    const credentials: SyncCredentials = { key, priority: "high" };
    if (listingIsStale(await findMembersListedAt(ctx.database.query, factionId), ctx.now()))
      await refreshFactionMembers(ctx, factionId, credentials);
    await readPrivateData(ctx, factionId, credentials);
    await askForSharingChoice(ctx, factionId, key.playerId);
  }
  await refreshStaleCrimeTypes(ctx, key);
}

async function readPrivateData(
  ctx: Context,
  factionId: number,
  credentials: SyncCredentials,
): Promise<void> {
  const on = ctx.database.query;
  const reader = await findMember(ctx.database, credentials.key.playerId, factionId);
  if (!reader?.factionApiAccess) return;
  for (const { sync, read } of privateSyncs) {
    if (!(await isSyncDue(on, factionId, { sync, now: ctx.now() }))) continue;
    try {
      // These calls cover a day of a quiet faction; the job reads the rest.
      await read(ctx, factionId, { ...credentials, calls: syncSchedules[sync].mostCalls });
    } catch (error) {
      if (!isGameCallError(error) || isOutage(error.kind)) throw error;
      ctx.log.warn(
        { factionId, sync, kind: error.kind },
        "a faction could not be read at a sign-in",
      );
    }
  }
}
