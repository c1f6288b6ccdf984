import type { Context } from "#server/context";
import { callsLeft, type Priority } from "#server/game/budget";
import { isGameError } from "#server/game/game-error";
import type { Counts, Work } from "#server/jobs/job";
import { spread } from "#server/jobs/spread";
import { pickKey } from "#server/users/keys/pick-key";
import { isKeyOutForFaction } from "../is-key-out-for-faction";
import { type Means, type Reading, readings } from "../readings";
import { listDueFactions } from "../store";

export interface ReadingQueue {
  readonly reading: Reading;
  readonly priority: Priority;
  /**
   * Reads one faction within so many calls, notes the attempt, and says what it read.
   * @throws GameError
   */
  readonly read: (ctx: Context, factionId: number, means: Means, calls: number) => Promise<Counts>;
}

/** Reads the factions that are due, the longest untried first. What the job's budget leaves over is shared out evenly. */
export async function readDueFactions(ctx: Context, work: Work, queue: ReadingQueue): Promise<Counts> {
  const { reading } = queue;
  const { calls, mostCalls } = readings[reading];
  const limit = Math.floor(work.budget / calls);
  const items = await listDueFactions(ctx.database.query, { reading, now: ctx.now(), limit });
  const share = Math.min(mostCalls, Math.max(calls, Math.floor(work.budget / items.length)));
  return spread(ctx, work, {
    items,
    calls: () => share,
    name: (factionId) => ({ factionId, reading }),
    each: (factionId) => readFaction(ctx, factionId, { ...queue, share }),
  });
}

const mostKeys = 3;

/** Reads a faction with the key that has most left; where the game refuses that key, with the next. */
async function readFaction(ctx: Context, factionId: number, queue: ReadingQueue & { share: number }): Promise<Counts> {
  const { reading, priority, share, read } = queue;
  const { access, calls } = readings[reading];
  const refused = new Set<string | null>();
  for (let tried = 1; ; tried++) {
    const key = await pickKey(ctx, { of: access, factionId }, refused);
    if (!key || (await callsLeft(ctx, key.playerId, priority)) < calls) return { skipped: 1 };
    try {
      return { factions: 1, ...(await read(ctx, factionId, { key, priority }, share)) };
    } catch (error) {
      if (!isGameError(error) || !isKeyOutForFaction(error) || tried === mostKeys) throw error;
      refused.add(key.id);
    }
  }
}
