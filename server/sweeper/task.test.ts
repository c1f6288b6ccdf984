import { expect, test } from "vitest";
import type { Queryable } from "#db/client";
import type { Scan } from "#db/sweep";
import { scanTask } from "./task";

const on = {} as Queryable;
const moment = { now: new Date("2026-03-01T12:00:00Z"), lifetimes: { refreshReuse: 30 } };

/** A table of pages, on some of which rows are due. It keeps the order in which pages were looked at. */
function table(pages: number, due: Readonly<Record<number, number>> = {}) {
  const rows = new Map(Object.entries(due).map(([page, count]) => [Number(page), count]));
  const seen: number[] = [];
  const scan: Scan = {
    name: "table",
    countTablePages: async () => pages,
    remove: async (_on, _moment, { from, to, limit }) => {
      let removed = 0;
      for (let page = from; page < to; page++) {
        if (seen.at(-1) !== page) seen.push(page);
        const gone = Math.min(rows.get(page) ?? 0, limit - removed);
        rows.set(page, (rows.get(page) ?? 0) - gone);
        removed += gone;
      }
      return removed;
    },
  };
  return { scan, seen, left: () => [...rows.values()].reduce((sum, count) => sum + count, 0) };
}

async function scanRound(scan: Scan, position: number) {
  const task = await scanTask(on, moment, { scan, position });
  for (let step = 0; step < 1_000 && !task.done; step++) await task.step();
  return task;
}

test("a scan begins where the last run stopped, and comes round to there", async () => {
  const { scan, seen } = table(40);
  const task = await scanRound(scan, 30);
  expect(seen.slice(0, 11)).toEqual([30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 0]);
  expect(new Set(seen).size).toBe(40);
  expect(task.done).toBe(true);
});

test("pages with more rows than a batch may take are not left before they are clean", async () => {
  const { scan, left } = table(3, { 1: 1_700, 2: 900 });
  const task = await scanRound(scan, 0);
  expect([task.removed, left()]).toEqual([2_600, 0]);
});

test("in a large table a run scans a part of the round, and says where the next one begins", async () => {
  const { scan, seen } = table(100_000);
  const task = await scanRound(scan, 0);
  expect(seen.length).toBeLessThan(20_000);
  expect(task.position).toBe(seen.length);
});

test("a table that shrank or is empty is walked from its beginning, or not at all", async () => {
  const shrunk = table(5);
  await scanRound(shrunk.scan, 700);
  expect(shrunk.seen[0]).toBe(0);
  expect((await scanTask(on, moment, { scan: table(0).scan, position: 0 })).done).toBe(true);
});
