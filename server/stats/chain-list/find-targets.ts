import type { Queryable } from "#db/client";
import {
  countBox,
  countFromStart,
  countRefreshed,
  respectOfBest,
  searchBox,
  searchByRespect,
  searchRefreshed,
  searchStretch,
} from "./store";
import type { Target, TargetSearch } from "./target-search";

/** Rows that the first look goes through in the order wanted; it ends as soon as enough were found. */
const firstLook = 4_000;
/** As many rows of the levels and scores wanted are all looked at and sorted. */
const fewRows = 5_000;
/** The last look in order, before everything that fits is sorted. */
const longLook = 60_000;
/** So many of the levels wanted are asked first for what their best bring. */
const fewLevels = 25;
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
  const near = await searchNear(on, search);
  if (near.length === limit) return near;
  if ((await countBox(on, search, fewRows)) < fewRows) return searchBox(on, search);
  if (await fewWereRefreshed(on, search)) return searchRefreshed(on, search);
  const far = await searchStretch(on, search, { rows: longLook });
  return far.length === limit ? far : searchBox(on, search);
}

/** The first look. By chance the rows stand in a circle: where it comes to the end of all rows, it goes on with the first. */
async function searchNear(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const near = await searchStretch(on, search, { rows: firstLook });
  const missing = search.limit - near.length;
  if (missing === 0 || search.order !== "random") return near;
  if ((await countFromStart(on, search, firstLook)) === firstLook) return near;
  const rest = await searchStretch(on, { ...search, limit: missing }, { rows: firstLook, upToStart: true });
  return [...near, ...rest];
}

/** How many of those who fit by level and score it takes, as a rule, until as many as wanted may be shown. */
const timesAsMany = ({ factionless, inactive }: TargetSearch): number => (inactive ? 24 : factionless ? 6 : 1.25);

/** Looks at a few times as many of the best as wanted; at all who fit where too few of them may be shown. */
async function findByRespect(on: Queryable, search: TargetSearch): Promise<Target[]> {
  const { limit } = search;
  const few = limit * timesAsMany(search);
  for (const count of [few, few * 6, few * 36]) {
    const rows = Math.ceil(count);
    const bound = await boundOf(on, search, rows);
    const best = await searchByRespect(on, search, { bound, rows });
    if (best.length === limit || bound === 0) return best;
  }
  return (await fewWereRefreshed(on, search)) ? searchRefreshed(on, search) : searchBox(on, search);
}

/** A part of the levels tells as a rule; where too few stand there, all do. */
async function boundOf(on: Queryable, search: TargetSearch, count: number): Promise<number> {
  const step = Math.ceil((search.level.max - search.level.min + 1) / fewLevels);
  const found = await respectOfBest(on, search, { count, step });
  return found > 0 || step === 1 ? found : respectOfBest(on, search, { count, step: 1 });
}

/** Where inactive players are wanted, those who were refreshed lately are all that can be. */
const fewWereRefreshed = async (on: Queryable, { inactive }: TargetSearch): Promise<boolean> =>
  inactive !== null && (await countRefreshed(on, inactive.refreshedSince, fewRefreshed)) < fewRefreshed;
