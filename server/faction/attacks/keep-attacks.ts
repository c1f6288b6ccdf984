import type { Context } from "#server/context";
import type { Attack } from "#server/game/contract/attack";
import { recordFights } from "#server/stats/entries/record-fights";
import { canBeAnswered, isAnswer } from "./retaliation";
import { addRetaliations, answerRetaliations, lockStatSharing, moveAttacksSeen } from "./store";

/** Attacks of one faction, in any order. */
export interface SeenAttacks {
  readonly factionId: number;
  readonly attacks: readonly Attack[];
  /** Whether the next reading may begin behind them: false where older ones are still unread. */
  readonly moves: boolean;
}

/** When the last of the attacks ended. */
export const newestEnd = (attacks: readonly Attack[]): Date =>
  new Date(Math.max(...attacks.map(({ ended }) => ended.getTime())));

/**
 * Keeps what a faction's attacks tell: hits that can still be answered, answers to hits, and what they say of opponents' strength.
 * Attacks may come in any order, and again. @returns how many hits are new
 */
export async function keepAttacks(ctx: Context, { factionId, attacks, moves }: SeenAttacks): Promise<number> {
  if (attacks.length === 0) return 0;
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
    for (const { defender, ended } of answers)
      await answerRetaliations(tx, { factionId, attackerId: defender.playerId, at: ended });
    await recordFights(tx, { attacks, factionId, sharing, now });
    if (moves) await moveAttacksSeen(tx, factionId, newestEnd(attacks));
    return added;
  });
}
