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
  readonly factionId: number | null;
  readonly playerId?: number;
  readonly sharing: "everybody" | "faction" | "off";
  readonly now: Date;
}

const scoreLifetimeMs = 3 * dayMs;
/** Allowed clock skew of the game. An entry from farther in the future would stay the newest. */
const clockErrorMs = minuteMs;

/**
 * Idempotent per attack and opponent. Call it in the transaction that advances the watermark.
 * @returns the number of new entries, lower bounds included
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

interface ScoringFight {
  readonly code: string;
  readonly at: Date;
  readonly own: Fighter;
  readonly target: Fighter;
  readonly side: "outgoing" | "incoming";
  readonly fairFight: number;
}

type Ours = { readonly factionId: number } | { readonly playerId: number };

/** Below this fair fight, rounding causes an error of more than 10 %. */
const leastTelling = 1.05;

/**
 * Null if the fight gives no score. Respect is 0 within a faction and for recruits. A capped fair
 * fight is a lower bound for a defender, and useless for an attacker.
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
 * More digits would reveal the private score of our side, and a fight is exact only to 0.25 % at
 * best.
 */
const toldDigits = 4;

/** @param ownScore the score of our side at about the time of the fight */
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
