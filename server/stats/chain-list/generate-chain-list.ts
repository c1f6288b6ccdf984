import type { TokenHolder } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import { StatScoreMissing } from "#server/failures";
import { dayMs } from "#server/platform/durations";
import { readOwnFaction } from "#server/users/membership/membership";
import { hitRespect, rounded, trueFairFight } from "../fair-fight";
import { findScore } from "../scores/store";
import { findTargets } from "./find-targets";
import { hasOwnScores } from "./store";
import { type ChainListQuery, scoreRange, type Target } from "./target-search";

/** A target with what a hit on them would bring the caller. */
export interface ChainTarget extends Target {
  /** Not capped; two decimals. */
  readonly fairFight: number;
  /** Of a plain hit, with fair fight capped at 3; two decimals. */
  readonly respect: number;
}

/** Entries that are older than half a year say too little. */
const entryDays = 183;
/** A player who did nothing for so long counts as inactive, */
const inactiveDays = 30;
/** if they were looked at within so many days. */
const lookedAtDays = 21;

/**
 * Finds targets that would bring the caller a fair fight within bounds. Only scores that the caller may see count: public ones,
 * and those of their own faction.
 * @throws StatScoreMissing where neither the caller's key nor their faction's import told a score of theirs
 */
export async function generateChainList(
  ctx: Context,
  caller: { readonly actor: Pick<TokenHolder, "playerId">; readonly player: Authentication["player"] },
  query: ChainListQuery,
): Promise<ChainTarget[]> {
  const { playerId } = caller.actor;
  const on = ctx.database.query;
  const factionId = await readOwnFaction(ctx, caller);
  const own = await findScore(on, { playerId, factionId });
  if (!own || own.score <= 0) throw StatScoreMissing.because();

  const roll = () => chance(ctx.ids.bytes(4));
  const now = ctx.now();
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const targets = await findTargets(on, {
    ...query,
    playerId,
    factionId,
    ownGroup: factionId !== null && (await hasOwnScores(on, factionId)) ? factionId : null,
    ownScore: own.score,
    scores: scoreRange(query.difficulty, own.score),
    inactive: query.inactive ? { lastActionBy: ago(inactiveDays), refreshedSince: ago(lookedAtDays) } : null,
    since: ago(entryDays),
    now,
    start: roll(),
  });
  // The search walks on from a random place: without this, neighbours would stand side by side in every list.
  const ordered = query.order === "random" ? shuffled(targets, roll) : targets;
  return ordered.map((target) => {
    const fair = trueFairFight(target.score, own.score);
    return { ...target, fairFight: rounded(fair), respect: rounded(hitRespect(target.level, fair)) };
  });
}

/** Four random bytes as a number, 0 up to but not including 1. */
const chance = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => (sum + byte) / 256, 0);

/** The same things in an order that `roll` decides, a number of at least 0 and below 1 each time. */
export function shuffled<Thing>(things: readonly Thing[], roll: () => number): Thing[] {
  const order = [...things];
  for (const [at, thing] of things.entries()) {
    const other = Math.floor(roll() * (at + 1));
    order[at] = order[other] ?? thing;
    order[other] = thing;
  }
  return order;
}
