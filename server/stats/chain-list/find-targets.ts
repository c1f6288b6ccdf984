import type { Queryable } from "#db/client";
import { countInCells, countRefreshed, respectOfBest, searchByRespect, searchCells, searchRefreshed } from "./store";
import type { Target, TargetSearch } from "./target-search";

/** So many of the levels wanted are asked first for what their best bring. */
const fewLevels = 25;
/** As many rows of the levels and scores wanted are looked at without a thought. */
const fewRows = 2_000;
/** Where no more players were refreshed recently, all of them are looked at when inactive ones are wanted. */
const fewRefreshed = 10_000;

/**
 * Finds targets in the order wanted. It looks at a few times as many rows as targets are wanted, then at many times as many, and
 * at all that fit where still too few of them may be shown. Whichever look ends it, the answer is the same.
 */
export const findTargets = (on: Queryable, search: TargetSearch): Promise<Target[]> =>
  search.order === "highest-respect" ? findByRespect(on, search) : findInCells(on, search);

/** How many rows of those who fit by level and score it takes, as a rule, until as many as wanted may be shown. */
const rowsFor = ({ factionless, inactive, limit }: TargetSearch): number =>
  Math.ceil(limit * (inactive ? 24 : factionless ? 6 : 1.25));

async function findInCells(on: Queryable, search: TargetSearch): Promise<Target[]> {
  // The rows that fit are spread over the cells.
  const each = Math.ceil(rowsFor(search) / 3);
  const near = await searchCells(on, search, { each, upToEnd: true });
  if (near.length === search.limit) return near;
  const far = await searchCells(on, search, { each: each * 8 });
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

/** A part of the levels tells as a rule; where too few stand there, all do. */
async function boundOf(on: Queryable, search: TargetSearch, count: number): Promise<number> {
  const step = Math.ceil((search.level.max - search.level.min + 1) / fewLevels);
  const found = await respectOfBest(on, search, { count, step });
  return found > 0 || step === 1 ? found : respectOfBest(on, search, { count, step: 1 });
}

/** Looks at all rows of the levels and scores wanted. Inactive players can only be among those who were refreshed lately. */
async function findAmongAll(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const { inactive } = search;
  if (inactive === null || (await countInCells(on, search, fewRows)) < fewRows)
    return searchCells(on, search, { each: null });
  const few = (await countRefreshed(on, inactive.refreshedSince, fewRefreshed)) < fewRefreshed;
  return few ? searchRefreshed(on, search) : searchCells(on, search, { each: null });
}
