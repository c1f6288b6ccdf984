import type { Attack, Fighter } from "#server/game/contract/attack";
import { attackerScore, defenderScore, isWin, mostFairFight, npcIds, scoreError } from "../fair-fight";

/** A fight that tells the score of one side from the score of the other. */
export interface ScoringFight {
  readonly code: string;
  readonly at: Date;
  /** Whose score it is derived from: one of ours. */
  readonly own: Fighter;
  /** Whose score it tells. */
  readonly target: Fighter;
  readonly side: "outgoing" | "incoming";
  readonly fairFight: number;
}

/** Whose fights they are: of a faction's members, or of one player. */
export type Ours = { readonly factionId: number } | { readonly playerId: number };

/** Nearer to 1 the rounding of the printed fair fight makes an error of more than 10 %. */
const leastTelling = 1.05;

const belongs = (fighter: Fighter, ours: Ours): boolean =>
  "playerId" in ours ? fighter.playerId === ours.playerId : fighter.faction?.factionId === ours.factionId;

/**
 * The fight as one that tells a score; null where it tells none: not won, without respect (the same faction, or a recruit), an
 * unknown attacker, a fighter of the game's own, or a fair fight so near to 1 that it is mostly rounding. A capped one says
 * "at least this strong" of a defender and nothing that we keep of an attacker.
 */
export function scoringFight(attack: Attack, ours: Ours): ScoringFight | null {
  const { attacker, defender, code, ended: at, modifiers } = attack;
  const { fairFight } = modifiers;
  if (!isWin(attack.result) || attack.respectGain === 0 || !attacker) return null;
  if (npcIds.has(defender.playerId) || npcIds.has(attacker.playerId)) return null;
  const outgoing = belongs(attacker, ours);
  if (outgoing === belongs(defender, ours) || fairFight < leastTelling) return null;
  const told = { code, at, fairFight };
  if (outgoing) return { ...told, own: attacker, target: defender, side: "outgoing" };
  return fairFight < mostFairFight ? { ...told, own: defender, target: attacker, side: "incoming" } : null;
}

/**
 * The best fight tells a score to a quarter of a percent. With all digits, who knows the printed fair fight could compute our
 * side's private score back, exactly; and so could who compares what several fights of one of ours tell.
 */
const toldDigits = 4;

/** What a fight says of its target. @param ownScore of our side, from about the time of the fight */
export function derivedScore({ side, fairFight }: ScoringFight, ownScore: number) {
  const printed = Math.min(fairFight, mostFairFight);
  const score = side === "outgoing" ? defenderScore(printed, ownScore) : attackerScore(printed, ownScore);
  return {
    score: Number(score.toPrecision(toldDigits)),
    sigma: scoreError(printed),
    lowerBound: printed === mostFairFight,
  };
}
