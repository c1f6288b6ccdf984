import type { Attack, ListedAttack } from "#server/game/contract/attack";
import { secondMs } from "#server/platform/time";
import { isWin, npcIds } from "#server/stats/fair-fight";

export const retaliationWindowSeconds = 300;

export const retaliationCutoff = (now: Date): Date =>
  new Date(now.getTime() - retaliationWindowSeconds * secondMs);

type IncomingHit = Attack & { readonly attacker: NonNullable<Attack["attacker"]> };

/**
 * Hits on recruits and hits within the faction bring no respect. Overseas hits count only in a war.
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
    now.getTime() - ended.getTime() < retaliationWindowSeconds * secondMs
  );
}

export const isAnswer = ({ attacker, result, modifiers }: Attack, factionId: number): boolean =>
  attacker?.faction?.factionId === factionId && isWin(result) && modifiers.retaliation > 1;

export const involvesFaction = (
  { attacker, defender }: Pick<ListedAttack, "attacker" | "defender">,
  factionId: number,
): boolean =>
  attacker?.faction?.factionId === factionId || defender.faction?.factionId === factionId;
