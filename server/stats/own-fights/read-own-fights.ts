import type { Context } from "#server/context";
import { readAttackLog } from "#server/game/attack-log";
import type { ListedAttack } from "#server/game/contract/attack";
import { unreadableCountsOf } from "#server/game/contract/rows";
import { gameCallError } from "#server/game/game-call-error";
import { selectionsByCall } from "#server/game/selections";
import type { Counts, Job } from "#server/jobs/job";
import { processBatch } from "#server/jobs/process-batch";
import { callGame } from "#server/users/keys/call-game";
import { type GameKey, pickKey } from "#server/users/keys/pick-key";
import { recordFights } from "../entries/record-fights";
import {
  advanceFightWatermark,
  findFightAudience,
  listDueSharers,
  noteFightsAttempt,
} from "./store";

/** Slightly less than the job's period, so that a run finds the players of the last run due. */
const againAfterMs = 590_000;
const callsEach = 2;
const reads = selectionsByCall.fights;

/** A player is read only if they consented and no key reads their faction's attacks. */
export const readOwnFightsJob: Job = {
  name: "read-own-fights",
  cadence: { everySeconds: 600 },
  budget: 200,
  run: async (ctx, work) => {
    const triedBefore = new Date(ctx.now().getTime() - againAfterMs);
    return processBatch(ctx, work, {
      items: await listDueSharers(ctx.database.query, {
        triedBefore,
        limit: work.budget,
        reads,
        readsOfFaction: selectionsByCall.attacks,
      }),
      calls: () => callsEach,
      name: ({ playerId }) => ({ playerId }),
      triedAt: ({ lastAttempt }) => lastAttempt,
      each: async ({ playerId }): Promise<Counts> => {
        const choice = { of: "player", playerId, reads, prefers: reads[0] } as const;
        const key = await pickKey(ctx, choice, {
          work: { priority: "background", calls: callsEach },
        });
        if (!key) return { skipped: 1 };
        return { read: 1, ...(await readFightsOf(ctx, key)) };
      },
    });
  },
};

/**
 * The sharing choice is read again for each page, because the consent may end meanwhile.
 * @throws GameCallError; earlier pages are kept
 */
async function readFightsOf(ctx: Context, key: GameKey) {
  const { playerId } = key;
  const now = ctx.now();
  const seen = await noteFightsAttempt(ctx.database.query, playerId, now);
  const isTheirs = involves(playerId);
  let scores = 0;
  const { pages } = await readAttackLog({
    seen,
    begun: now,
    calls: callsEach,
    ask: (page) =>
      callGame(ctx, {
        key,
        priority: "background",
        call: (game, text) => game.userAttacks(text, page),
      }),
    keep: async (page, { finished, mark }) => {
      if (page.length > 0 && !page.some(isTheirs))
        throw gameCallError({
          kind: "unexpected-answer",
          detail: `fights of somebody else than player ${playerId}`,
        });
      const attacks = finished.filter(isTheirs);
      scores += await ctx.database.transaction(async (tx) => {
        const sharing = await findFightAudience(tx, playerId);
        if (!sharing) return 0;
        if (mark) await advanceFightWatermark(tx, playerId, mark);
        return recordFights(tx, { ...sharing, attacks, playerId, now });
      });
    },
  });
  return { scores, ...unreadableCountsOf(...pages) };
}

const involves =
  (playerId: number) =>
  ({ attacker, defender }: Pick<ListedAttack, "attacker" | "defender">): boolean =>
    attacker?.playerId === playerId || defender.playerId === playerId;
