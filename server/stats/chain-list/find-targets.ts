import type { Queryable } from "#db/client";
import {
  countBox,
  countRefreshed,
  respectOfBest,
  searchBox,
  searchByRespect,
  searchRefreshed,
  searchWindow,
  type Target,
  type TargetSearch,
} from "./store";

/** Rows that the first look goes through in the order wanted; it ends as soon as enough were found. */
const firstLook = 4_000;
/** As many rows of the levels and scores wanted are all looked at and sorted. */
const fewRows = 5_000;
/** The last look in order, before everything that fits is sorted. */
const longLook = 60_000;
/** As many recently refreshed players are all looked at where inactive ones are wanted. */
const fewRefreshed = 20_000;

/**
 * Finds targets in the order wanted. Whatever the way, the answer is as good; each way is short where another is long: rows in
 * the order wanted where many fit, rows of the wanted levels and scores where few do, recently refreshed players where few were
 * refreshed.
 */
export async function findTargets(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const { order, limit } = search;
  if (order === "highest-respect") return findByRespect(on, search);
  const near = await searchWindow(on, search, firstLook);
  if (near.length === limit) return near;
  if (order === "random") {
    // Just before the end of the circle too little is left: then the list begins where the circle does.
    const begun = await searchWindow(on, { ...search, start: 0 }, firstLook);
    if (begun.length === limit) return begun;
  }
  if ((await countBox(on, search, fewRows)) < fewRows) return searchBox(on, search);
  if (await fewWereRefreshed(on, search)) return searchRefreshed(on, search);
  const far = await searchWindow(on, search, longLook);
  return far.length === limit ? far : searchBox(on, search);
}

/** Looks at those who bring as much as the best few times as many as wanted; at all where too few of them may be shown. */
async function findByRespect(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const { limit, factionless, inactive } = search;
  const timesAsMany = inactive ? 30 : factionless ? 8 : 3;
  const bound = await respectOfBest(on, search, limit * timesAsMany);
  const best = await searchByRespect(on, search, bound);
  if (best.length === limit || bound === 0) return best;
  return (await fewWereRefreshed(on, search)) ? searchRefreshed(on, search) : searchByRespect(on, search, 0);
}

/** Where inactive players are wanted, those who were refreshed lately are all that can be. */
const fewWereRefreshed = async (on: Queryable, { inactive }: TargetSearch): Promise<boolean> =>
  inactive !== null && (await countRefreshed(on, inactive.refreshedSince, fewRefreshed)) < fewRefreshed;
