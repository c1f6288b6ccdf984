import type { Queryable } from "#db/client";
import type { TokenHolder } from "#server/actor";
import type { Authentication, Context } from "#server/context";
import { StatScoreMissing } from "#server/failures";
import { dayMs } from "#server/platform/time";
import { readCallerFactionId } from "#server/users/membership/membership";
import { findOwnScore } from "../entries/store";
import { hitRespect, roundToHundredths, uncappedFairFight } from "../fair-fight";
import {
  boundBestRespect,
  countInScoreCells,
  countRefreshed,
  searchByRespect,
  searchRefreshed,
  searchScoreCells,
  type Target,
} from "./store";
import { type ChainListQuery, scoreRange, type TargetSearch } from "./target-search";

export interface ChainTarget extends Target {
  /** Not capped; two decimals. */
  readonly fairFight: number;
  /** Respect of a plain hit, with fair fight capped at 3; two decimals. */
  readonly respect: number;
}

const entryDays = 183;
/** A player is inactive if a profile of the last 21 days shows no action for 30 days. */
const inactiveDays = 30;
const lookedAtDays = 21;

/**
 * Targets come from public scores and those of the caller's faction.
 * @throws StatScoreMissing if neither the caller's key nor a faction import gave the caller a score
 */
export async function findChainTargets(
  ctx: Context,
  caller: {
    readonly by: Pick<TokenHolder, "playerId">;
    readonly player: Authentication["player"] | undefined;
  },
  query: ChainListQuery,
): Promise<ChainTarget[]> {
  const { playerId } = caller.by;
  const on = ctx.database.query;
  const factionId = await readCallerFactionId(ctx, caller);
  const own = await findOwnScore(on, { playerId, factionId });
  if (!own || own.score <= 0) throw StatScoreMissing.because();

  const roll = () => chance(ctx.ids.bytes(4));
  const now = ctx.now();
  const ago = (days: number) => new Date(now.getTime() - days * dayMs);
  const targets = await searchTargets(on, {
    ...query,
    playerId,
    factionId,
    ownScore: own.score,
    scores: scoreRange(query.difficulty, own.score),
    inactive: query.inactive
      ? { lastActionBy: ago(inactiveDays), refreshedSince: ago(lookedAtDays) }
      : null,
    since: ago(entryDays),
    now,
    start: roll(),
  });
  const listed = targets.map((target) => {
    const fair = uncappedFairFight(target.score, own.score);
    return {
      ...target,
      fairFight: roundToHundredths(fair),
      respect: roundToHundredths(hitRespect(target.level, fair)),
    };
  });
  if (query.order !== "random") return listed;
  // The search starts at a random place and keeps neighbours adjacent, so the list is shuffled.
  const places = new Map(listed.map((target) => [target, roll()]));
  return listed.sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}

const chance = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => (sum + byte) / 256, 0);

const fewLevels = 25;
/** If fewer rows than this match, the search reads them all. */
const fewRows = 2_000;
/** If fewer players were refreshed lately, a search for inactive players reads them all. */
const fewRefreshed = 10_000;

/**
 * Reads few rows first, and more only if too few of them match. The result is the same at each
 * step.
 */
export const searchTargets = (on: Queryable, search: TargetSearch): Promise<Target[]> =>
  search.order === "highest-respect" ? findByRespect(on, search) : findInCells(on, search);

const rowsFor = ({ factionless, inactive, limit }: TargetSearch): number =>
  Math.ceil(limit * (inactive ? 24 : factionless ? 6 : 1.25));

async function findInCells(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const each = Math.ceil(rowsFor(search) / 3);
  const near = await searchScoreCells(on, search, { each, upToEnd: true });
  if (near.length === search.limit) return near;
  const far = await searchScoreCells(on, search, { each: each * 8 });
  return far.length === search.limit ? far : findAmongAll(on, search);
}

async function findByRespect(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const few = rowsFor(search);
  for (const rows of [few, few * 6, few * 36]) {
    const bound = await boundOf(on, search, rows);
    const best = await searchByRespect(on, search, { bound, rows });
    if (best.length === search.limit || bound === 0) return best;
  }
  return findAmongAll(on, search);
}

/** Samples some levels, and all of them if the sample has too few rows. */
async function boundOf(on: Queryable, search: TargetSearch, count: number): Promise<number> {
  const step = Math.ceil((search.level.max - search.level.min + 1) / fewLevels);
  const found = await boundBestRespect(on, search, { count, step });
  return found > 0 || step === 1 ? found : boundBestRespect(on, search, { count, step: 1 });
}

async function findAmongAll(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const { inactive } = search;
  if (inactive === null || (await countInScoreCells(on, search, fewRows)) < fewRows)
    return searchScoreCells(on, search, { each: null });
  const few = (await countRefreshed(on, inactive.refreshedSince, fewRefreshed)) < fewRefreshed;
  return few ? searchRefreshed(on, search) : searchScoreCells(on, search, { each: null });
}
