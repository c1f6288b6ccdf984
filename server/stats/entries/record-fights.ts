import type { Queryable } from "#db/client";
import type { Attack, Fighter } from "#server/game/contract/attack";
import { dayMs, minuteMs } from "#server/platform/time";
import { noteFighters } from "#server/users/membership/membership";
import {
  attackerScore,
  defenderScore,
  isWin,
  mostFairFight,
  npcIds,
  scoreError,
} from "../fair-fight";
import { insertEntries, readOwnScores, type StatEntry, saveLatest } from "./store";

export interface FightsToRecord {
  readonly attacks: readonly Attack[];
  /** The faction whose fights these are, or whose member the player is; null for a player without one. */
  readonly factionId: number | null;
  /** Set where the fights are one player's and not a whole faction's. */
  readonly playerId?: number;
  /** Who may see what the fights tell. */
  readonly sharing: "everybody" | "faction" | "off";
  readonly now: Date;
}

/** A score that was read longer before or after a fight says little about it. */
const scoreLifetimeMs = 3 * dayMs;
/** The game's clock may be ahead of ours. What lies further in the future would stay the newest score for ever. */
const clockErrorMs = minuteMs;

/**
 * Derives opponents' stat scores from fights and our side's own scores, and keeps them: once for each attack and opponent,
 * however often it is read. Call it in the transaction that also moves on where the next reading begins.
 * @returns how many were new, bounds included
 */
export async function recordFights(tx: Queryable, fights: FightsToRecord): Promise<number> {
  const { attacks, factionId, playerId, sharing, now } = fights;
  const ours: Ours | null =
    playerId !== undefined ? { playerId } : factionId === null ? null : { factionId };
  const visibleTo = sharing === "everybody" ? 0 : factionId;
  if (!ours || visibleTo === null || sharing === "off") return 0;

  const telling = attacks
    .flatMap((attack) => scoringFight(attack, ours) ?? [])
    .filter(({ at }) => at.getTime() <= now.getTime() + clockErrorMs)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  if (telling.length === 0) return 0;
  const scores = await readOwnScores(tx, [...new Set(telling.map(({ own }) => own.playerId))]);
  const told = telling.flatMap((fight) => {
    const own = scores.get(fight.own.playerId);
    return own && isNear(own.at, fight.at)
      ? [{ fight, entry: entryOf(fight, own.score, visibleTo) }]
      : [];
  });
  if (told.length === 0) return 0;
  await noteFighters(
    tx,
    told.map(({ fight: { target, at } }) => ({ ...target, at })),
  );
  const added = await insertEntries(
    tx,
    told.map(({ entry }) => entry),
  );
  await saveLatest(tx, added);
  return added.length;
}

const isNear = (scored: Date, fought: Date): boolean =>
  Math.abs(fought.getTime() - scored.getTime()) <= scoreLifetimeMs;

const entryOf = (fight: ScoringFight, ownScore: number, visibleTo: number): StatEntry => ({
  ...derivedScore(fight, ownScore),
  visibleTo,
  playerId: fight.target.playerId,
  timeAdded: fight.at,
  fairFight: fight.fairFight,
  source: "fight",
  attackCode: fight.code,
  contributorId: fight.own.playerId,
});

/** A fight that tells the score of one side from the score of the other. */
interface ScoringFight {
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
type Ours = { readonly factionId: number } | { readonly playerId: number };

/** Nearer to 1 the rounding of the printed fair fight makes an error of more than 10 %. */
const leastTelling = 1.05;

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
  return fairFight < mostFairFight
    ? { ...told, own: defender, target: attacker, side: "incoming" }
    : null;
}

const belongs = (fighter: Fighter, ours: Ours): boolean =>
  "playerId" in ours
    ? fighter.playerId === ours.playerId
    : fighter.faction?.factionId === ours.factionId;

/**
 * The best fight tells a score to a quarter of a percent. With all digits, who knows the printed fair fight could compute our
 * side's private score back, exactly; and so could who compares what several fights of one of ours tell.
 */
const toldDigits = 4;

/** The score of a fight's target. @param ownScore of our side, from about the time of the fight */
export function derivedScore({ side, fairFight }: ScoringFight, ownScore: number) {
  const printed = Math.min(fairFight, mostFairFight);
  const score =
    side === "outgoing" ? defenderScore(printed, ownScore) : attackerScore(printed, ownScore);
  return {
    score: Number(score.toPrecision(toldDigits)),
    sigma: scoreError(printed),
    lowerBound: printed === mostFairFight,
  };
}
