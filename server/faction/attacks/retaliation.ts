import type { Attack, ListedAttack } from "#server/game/contract/attack";
import { secondMs } from "#server/platform/time";
import { isWin, npcIds } from "#server/stats/fair-fight";

export const answerSeconds = 300;

export const answerableSince = (now: Date): Date =>
  new Date(now.getTime() - answerSeconds * secondMs);

type IncomingHit = Attack & { readonly attacker: NonNullable<Attack["attacker"]> };

/**
 * True for a hit on a member that can be answered, war hits included. Excluded are stealthed
 * attackers, hits without respect (own faction or a recruit), and hits abroad outside a war.
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

/** Any kind of win counts. */
export const isAnswer = ({ attacker, result, modifiers }: Attack, factionId: number): boolean =>
  attacker?.faction?.factionId === factionId && isWin(result) && modifiers.retaliation > 1;

export const concerns = (
  { attacker, defender }: Pick<ListedAttack, "attacker" | "defender">,
  factionId: number,
): boolean =>
  attacker?.faction?.factionId === factionId || defender.faction?.factionId === factionId;
