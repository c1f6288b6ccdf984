import type { Queryable } from "#db/client";
import type { Attack } from "#server/game/contract/attack";
import { dayMs, minuteMs } from "#server/platform/durations";
import { noteFighters } from "#server/users/fighters/note-fighters";
import { derivedScore, type Ours, type ScoringFight, scoringFight } from "./derived-score";
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
  const ours: Ours | null = playerId !== undefined ? { playerId } : factionId === null ? null : { factionId };
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
    return own && isNear(own.at, fight.at) ? [{ fight, entry: entryOf(fight, own.score, visibleTo) }] : [];
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
