import type { Attack, ListedAttack } from "#server/game/contract/attack";
import { secondMs } from "#server/platform/time";
import { isWin, npcIds } from "#server/stats/fair-fight";

/** Seconds after a hit in which it can be answered. */
export const answerSeconds = 300;

/** The earliest end of a hit that can still be answered. */
export const answerableSince = (now: Date): Date =>
  new Date(now.getTime() - answerSeconds * secondMs);

/** A hit on a member, with who struck it. */
export type IncomingHit = Attack & { readonly attacker: NonNullable<Attack["attacker"]> };

/**
 * Whether an attack is a hit on one of ours that can be answered. Hits of a war count. A stealthed attacker is not known; without
 * respect the attacker is of our own faction or a recruit is involved; who was hit abroad outside a war cannot strike back.
 */
export function canBeAnswered(attack: Attack, factionId: number, now: Date): attack is IncomingHit {
  const { attacker, defender, result, respectGain, modifiers, ended } = attack;
  const abroad = modifiers.overseas > 1 && modifiers.war === 1;
  return (
    attacker !== null &&
    defender.faction?.factionId === factionId &&
    isWin(result) &&
    !npcIds.has(defender.playerId) &&
    respectGain > 0 &&
    !abroad &&
    now.getTime() - ended.getTime() < answerSeconds * secondMs
  );
}

/** Whether an attack is one of ours striking back, by whatever kind of win. */
export const isAnswer = ({ attacker, result, modifiers }: Attack, factionId: number): boolean =>
  attacker?.faction?.factionId === factionId && isWin(result) && modifiers.retaliation > 1;

/** Whether a faction's list of attacks may hold this one. */
export const concerns = (
  { attacker, defender }: Pick<ListedAttack, "attacker" | "defender">,
  factionId: number,
): boolean =>
  attacker?.faction?.factionId === factionId || defender.faction?.factionId === factionId;
