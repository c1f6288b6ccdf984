import { inArray } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { factions, players } from "#db/schema/players";
import { statLatest } from "#db/schema/stats";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { hitRespect, uncappedFairFight } from "../fair-fight";
import { searchTargets } from "./generate-chain-list";
import {
  boundBestRespect,
  countInScoreCells,
  searchByRespect,
  searchRefreshed,
  searchScoreCells,
} from "./store";
import { type ChainOrder, scoreRange, type TargetSearch } from "./target-search";

const database = await testDatabase();
const { clock } = await testContext({ database });
const { query } = database;

const dayMs = 86_400_000;
const size = 800;
const [ours, theirs] = [7001, 7002];
const me = 3;

/** The same numbers in every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const ago = (days: number) =>
  new Date(Math.floor((clock.now().getTime() - days * dayMs) / 1_000) * 1_000);

beforeAll(async () => {
  const roll = dice(7);
  const pick = <T>(...of: T[]): T => of[Math.floor(roll() * of.length)] as T;
  await query.insert(factions).values([ours, theirs].map((id) => ({ id, name: `Faction ${id}` })));
  const world = Array.from({ length: size }, (_, index) => ({
    id: index + 1,
    name: `P${index + 1}`,
    level: roll() < 0.03 ? null : 1 + Math.floor(roll() * 100),
    factionId: pick(null, ours, theirs, 7003),
    lastAction: roll() < 0.1 ? null : ago(roll() * 60),
    lastRefresh: roll() < 0.1 ? null : ago(roll() * 40),
    federalUntil: roll() < 0.05 ? ago(pick(-9, 9)) : null,
  }));
  await query.insert(players).values(world);
  const entries = world.flatMap(({ id, level }) =>
    [0, ours, theirs]
      .filter((visibleTo) => roll() < (visibleTo === 0 ? 0.9 : 0.3))
      .map((visibleTo) => ({
        visibleTo,
        playerId: id,
        score: Math.exp(3 + roll() * 6),
        // Few moments, so that two groups often know of the same one.
        timeAdded: ago(Math.floor(roll() * 20) * 10),
        level: level ?? 0,
        draw: roll(),
      })),
  );
  await query.insert(statLatest).values(entries);
});

/** The same question, asked of every row in plain words. */
async function naive(search: TargetSearch): Promise<number[]> {
  const people = new Map((await query.select().from(players)).map((player) => [player.id, player]));
  const seen = search.factionId === null ? [0] : [0, search.factionId];
  const rows = await query.select().from(statLatest).where(inArray(statLatest.visibleTo, seen));
  const newest = new Map<number, (typeof rows)[number]>();
  for (const row of rows) {
    const known = newest.get(row.playerId);
    const newer = !known || row.timeAdded > known.timeAdded;
    if (newer || (+row.timeAdded === +known.timeAdded && row.visibleTo > known.visibleTo))
      newest.set(row.playerId, row);
  }
  const fits = [...newest.values()].filter(({ playerId, score, timeAdded }) => {
    const player = people.get(playerId);
    if (!player?.level || playerId === search.playerId || timeAdded < search.since) return false;
    const { level, factionId, federalUntil, lastAction, lastRefresh } = player;
    const { from, below } = search.scores;
    return (
      level >= search.level.min &&
      level <= search.level.max &&
      score >= from &&
      score < below &&
      (search.factionId === null || factionId !== search.factionId) &&
      (federalUntil === null || federalUntil <= search.now) &&
      (!search.factionless || factionId === null) &&
      (!search.inactive ||
        (lastAction !== null &&
          lastRefresh !== null &&
          lastAction <= search.inactive.lastActionBy &&
          lastRefresh >= search.inactive.refreshedSince))
    );
  });
  const rank = ({ draw, timeAdded, level, score }: (typeof rows)[number]): number => {
    if (search.order === "random") return draw < Math.fround(search.start) ? draw + 1 : draw;
    if (search.order === "recently-updated") return -timeAdded.getTime();
    return -hitRespect(level, uncappedFairFight(score, search.ownScore));
  };
  const second = ({ score, playerId }: (typeof rows)[number]): number =>
    ({ random: 0, "recently-updated": -playerId, "highest-respect": score })[search.order];
  const byRank = fits.sort(
    (a, b) => rank(a) - rank(b) || second(a) - second(b) || a.playerId - b.playerId,
  );
  return byRank.slice(0, search.limit).map(({ playerId }) => playerId);
}

const orders: ChainOrder[] = ["random", "recently-updated", "highest-respect"];

function searches(seed: number): TargetSearch[] {
  const roll = dice(seed);
  return Array.from({ length: 18 }, (_, index) => {
    const ownScore = Math.exp(4 + roll() * 5);
    const min = 1 + roll() * 2;
    const level = 1 + Math.floor(roll() * 100);
    return {
      playerId: me,
      factionId: index % 4 === 0 ? null : ours,
      ownScore,
      scores: scoreRange(
        index % 3 === 0 ? { min: 1, max: 3 } : { min, max: min + roll() * 3 },
        ownScore,
      ),
      level:
        index % 2 === 0
          ? { min: 1, max: 100 }
          : { min: level, max: Math.min(100, level + Math.floor(roll() * 40)) },
      order: orders[index % 3] as ChainOrder,
      limit: index % 5 === 0 ? 250 : 1 + Math.floor(roll() * 40),
      factionless: roll() < 0.25,
      inactive: roll() < 0.25 ? { lastActionBy: ago(30), refreshedSince: ago(21) } : null,
      since: ago(100),
      now: clock.now(),
      start: roll(),
    };
  });
}

const ids = (found: readonly { playerId: number }[]) => found.map(({ playerId }) => playerId);

describe.each([1, 2])(
  "of random data and wishes (%d), each way finds what a look at every row finds",
  (seed) => {
    test.each(searches(seed).map((search, number) => ({ number, search })))(
      "wish $number",
      async ({ search }) => {
        const expected = await naive(search);
        expect(ids(await searchTargets(query, search))).toEqual(expected);
        expect(ids(await searchScoreCells(query, search, { each: null }))).toEqual(expected);
        if (search.order === "highest-respect") {
          expect(ids(await searchByRespect(query, search, { bound: 0, rows: 10 * size }))).toEqual(
            expected,
          );
          for (const step of [1, 4]) {
            const bound = await boundBestRespect(query, search, { count: 20, step });
            const best = ids(await searchByRespect(query, search, { bound, rows: 20 }));
            expect(expected.slice(0, best.length)).toEqual(best);
          }
        } else {
          for (const look of [{ each: 1 }, { each: 7 }, { each: 7, upToEnd: true }] as const) {
            const first = ids(await searchScoreCells(query, search, look));
            expect(expected.slice(0, first.length)).toEqual(first);
          }
        }
        if (search.inactive) expect(ids(await searchRefreshed(query, search))).toEqual(expected);
      },
    );
  },
);

test("the rows that fit are counted no further than asked", async () => {
  const [search] = searches(1);
  if (!search) throw new Error("There is no search.");
  expect(await countInScoreCells(query, search, 10)).toBe(10);
  expect(await countInScoreCells(query, { ...search, scores: { from: 0, below: 0 } }, 10)).toBe(0);
});

test("random lists begin anywhere", async () => {
  const [search] = searches(1);
  if (!search) throw new Error("There is no search.");
  const begins = [0.1, 0.4, 0.9].map((start) =>
    searchTargets(query, { ...search, order: "random", limit: 1, start }),
  );
  expect(new Set((await Promise.all(begins)).map((found) => found[0]?.playerId)).size).toBe(3);
});
