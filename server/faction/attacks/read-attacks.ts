import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { finishedIn, readAttackLog } from "#server/game/attack-log";
import type { AttackPageQuery } from "#server/game/client";
import type { Attack } from "#server/game/contract/attack";
import { unreadableCountsOf } from "#server/game/contract/rows";
import type { Job } from "#server/jobs/job";
import { recordFights } from "#server/stats/entries/record-fights";
import { callGame } from "#server/users/keys/call-game";
import { retaliationClosed, retaliationOpened } from "../events";
import { requireKeyOwnerIn } from "../refresh-members";
import type { BudgetedCredentials } from "../sync-schedules";
import { noteSyncAttempt } from "../sync-store";
import { canBeAnswered, involvesFaction, isAnswer, retaliationCutoff } from "./retaliation";
import {
  addRetaliations,
  advanceAttackWatermark,
  closeUnanswered,
  findAttackWatermark,
  lockStatSharing,
  markRetaliationsAnswered,
} from "./store";

/**
 * Reads attacks from the watermark on, and the newest page too if the watermark lags behind the
 * retaliation window. A page without own attacks moves the watermark only if the key's owner is
 * still a member.
 * @throws GameCallError; earlier pages are kept
 */
export async function readAttacks(
  ctx: Context,
  factionId: number,
  credentials: BudgetedCredentials,
) {
  const at = ctx.now();
  await noteSyncAttempt(ctx.database.query, factionId, { sync: "attacks", at });
  const seen = await findAttackWatermark(ctx.database.query, factionId);
  const counts = { attacks: 0, hits: 0 };
  const keep = async (found: Omit<SeenAttacks, "factionId">) => {
    const attacks = found.attacks.filter((attack) => involvesFaction(attack, factionId));
    counts.attacks += attacks.length;
    counts.hits += await saveAttacks(ctx, { ...found, attacks, factionId });
  };
  const { key, priority } = credentials;
  const ask = (page: AttackPageQuery) =>
    callGame(ctx, { key, priority, call: (game, text) => game.factionAttacks(text, page) });

  const calls = Math.max(1, credentials.calls - 1);
  const { from, pages } = await readAttackLog({
    seen,
    begun: at,
    calls,
    ask,
    keep: async (page, { finished, mark }) => {
      if (
        mark &&
        (!seen || mark > seen) &&
        !page.some((attack) => involvesFaction(attack, factionId))
      )
        await requireKeyOwnerIn(ctx, factionId, credentials);
      await keep({ attacks: finished, mark });
    },
  });
  if (from && from < retaliationCutoff(ctx.now()) && calls < credentials.calls) {
    const newest = await ask({ sort: "DESC" });
    await keep({ attacks: finishedIn(newest, at), mark: null });
    pages.push(newest);
  }
  return { ...counts, ...unreadableCountsOf(...pages) };
}

interface SeenAttacks {
  readonly factionId: number;
  readonly attacks: readonly Attack[];
  /** The new watermark; null while older attacks are unread. */
  readonly mark: Date | null;
}

/** Idempotent, so pages may overlap and come in any order. @returns the number of new hits */
export async function saveAttacks(
  ctx: Context,
  { factionId, attacks, mark }: SeenAttacks,
): Promise<number> {
  if (attacks.length === 0 && !mark) return 0;
  const now = ctx.now();
  const hits = attacks.flatMap((attack) => (canBeAnswered(attack, factionId, now) ? [attack] : []));
  const answers = attacks.filter((attack) => isAnswer(attack, factionId));
  return ctx.database.transaction(async (tx) => {
    const sharing = await lockStatSharing(tx, factionId);
    const added = await addRetaliations(
      tx,
      factionId,
      hits.map(({ code, ended, attacker, defender }) => ({
        code,
        attackEnded: ended,
        attackerId: attacker.playerId,
        attackerName: attacker.name,
        defenderId: defender.playerId,
        defenderName: defender.name,
      })),
    );
    const answered: string[] = [];
    for (const { defender, ended } of answers)
      answered.push(
        ...(await markRetaliationsAnswered(tx, {
          factionId,
          attackerId: defender.playerId,
          at: ended,
        })),
      );
    await recordFights(tx, { attacks, factionId, sharing, now });
    if (mark) await advanceAttackWatermark(tx, factionId, mark);
    await recordEvents(ctx, tx, [
      ...added.map((code) => ({ type: retaliationOpened, subject: code, factionId })),
      ...answered.map((code) => ({
        type: retaliationClosed,
        subject: code,
        factionId,
        data: { reason: "answered" },
      })),
    ]);
    return added.length;
  });
}

const mostClosedAtOnce = 500;

export const closeRetaliationsJob: Job = {
  name: "close-retaliations",
  cadence: { everySeconds: 5 },
  budget: 0,
  run: async (ctx, { signal }) => {
    for (let closed = 0; ; ) {
      const batch = await ctx.database.transaction(async (tx) => {
        const now = ctx.now();
        const hits = await closeUnanswered(tx, {
          before: retaliationCutoff(now),
          now,
          limit: mostClosedAtOnce,
        });
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
