import type { Context } from "#server/context";
import type { Attack } from "#server/game/contract/attack";
import { recordFights } from "#server/stats/entries/record-fights";
import { canBeAnswered, isAnswer } from "./retaliation";
import { addRetaliations, answerRetaliations, lockStatSharing, moveAttacksSeen } from "./store";

/** Attacks of one faction, in any order. */
export interface SeenAttacks {
  readonly factionId: number;
  readonly attacks: readonly Attack[];
  /** How far the log is read with them; null where older ones are still unread. */
  readonly mark: Date | null;
}

/**
 * Keeps what a faction's attacks tell: hits that can still be answered, answers to hits, and what they say of opponents' strength.
 * Attacks may come in any order, and again. @returns how many hits are new
 */
export async function saveAttacks(ctx: Context, { factionId, attacks, mark }: SeenAttacks): Promise<number> {
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
    for (const { defender, ended } of answers)
      await answerRetaliations(tx, { factionId, attackerId: defender.playerId, at: ended });
    await recordFights(tx, { attacks, factionId, sharing, now });
    if (mark) await moveAttacksSeen(tx, factionId, mark);
    return added;
  });
}
