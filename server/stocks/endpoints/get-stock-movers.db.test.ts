import { beforeEach, expect, test } from "vitest";
import { stocks, stockTicks } from "#db/schema/stocks";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { recordTick } from "../read-tick";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const on = database.query;
const call = callAs(ctx, {});

const minute = 60;
const day = 86_400;
const month = 30 * day;
const newest = () => new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000);
const bonus = { passive: true, frequency: null, requirement: 1, description: "A perk" };
const stock = (stockId: number, price: number) => ({
  stockId,
  price,
  name: `Stock ${stockId}`,
  acronym: `S${stockId}`,
  marketCap: 1,
  shares: 1,
  investors: 1,
  bonus,
});
/** Stores what stocks cost so many seconds before the newest tick; 0 is the newest tick itself. */
const prices = (seconds: number, costs: Record<number, number>) =>
  recordTick(ctx, {
    at: new Date(newest().getTime() - seconds * 1_000),
    seen: Object.entries(costs).map(([id, price]) => stock(Number(id), price)),
  });

interface Mover {
  stock_id: number;
  change: number;
  price: number;
  start_price: number;
}
type Lists = Record<"gainers" | "losers", Record<"d1" | "d7" | "m1", Mover[]>>;
const movers = async () => (await call("/stocks/movers")).json as Lists;
const none = { d1: [], d7: [], m1: [] };

beforeEach(async () => {
  for (const table of [stockTicks, stocks]) await on.delete(table);
  // Past what was remembered of the last test's answer.
  clock.advance(60);
});

test("before the first tick nothing moved, and nobody may keep that answer", async () => {
  const { status, json, headers } = await call("/stocks/movers");
  expect({ status, json }).toEqual({ status: 200, json: { gainers: none, losers: none } });
  expect(headers.get("cache-control")).toBe("no-store");
});

test("a young history lacks the long periods, and says nothing false of them", async () => {
  await prices(day, { 1: 100, 2: 100 });
  await prices(0, { 1: 110, 2: 95 });
  expect(await movers()).toEqual({
    gainers: { ...none, d1: [{ stock_id: 1, change: 0.1, price: 110, start_price: 100 }] },
    losers: { ...none, d1: [{ stock_id: 2, change: -0.05, price: 95, start_price: 100 }] },
  });
});

test("each period has its own start: 24 hours, 7 days and 30 days before the newest tick", async () => {
  await prices(month, { 1: 50 });
  await prices(7 * day, { 1: 200 });
  await prices(day, { 1: 80 });
  await prices(0, { 1: 100 });
  const { gainers, losers } = await movers();
  expect(gainers.d1[0]).toEqual({ stock_id: 1, change: 0.25, price: 100, start_price: 80 });
  expect(losers.d7[0]).toEqual({ stock_id: 1, change: -0.5, price: 100, start_price: 200 });
  expect(gainers.m1[0]).toEqual({ stock_id: 1, change: 1, price: 100, start_price: 50 });
});

test("§7 row 62: a period begins with the nearest tick at or before its start, never with a later one", async () => {
  await prices(day + 90 * minute, { 1: 70 });
  await prices(day + minute, { 1: 80 });
  await prices(day - minute, { 1: 90 });
  await prices(0, { 1: 100 });
  expect((await movers()).gainers.d1[0]?.start_price).toBe(80);
});

test("§7 row 62: the price is the present one, not that of the start", async () => {
  await prices(day, { 1: 80 });
  await prices(0, { 1: 100 });
  expect((await movers()).gainers.d1[0]).toMatchObject({ price: 100, start_price: 80 });
});

test("§7 row 62: a period of 24 hours goes back 24 hours also right after midnight, not to midnight", async () => {
  const target = Date.UTC(2026, 3, 1, 0, 0, 20);
  clock.advance((target - clock.now().getTime()) / 1_000);
  await prices(day, { 1: 80 });
  await prices(20 * minute, { 1: 99 });
  await prices(0, { 1: 100 });
  expect((await movers()).gainers.d1[0]?.start_price).toBe(80);
});

test("§7 row 62: gainers rose and losers fell; what stood still is in neither list", async () => {
  await prices(day, { 1: 100, 2: 100, 3: 100, 4: 100 });
  await prices(0, { 1: 101, 2: 99, 3: 100, 4: 100.001 });
  const { gainers, losers } = await movers();
  expect(gainers.d1.map(({ stock_id }) => stock_id)).toEqual([1]);
  expect(losers.d1.map(({ stock_id }) => stock_id)).toEqual([2]);
});

test("each list has at most five stocks, best first", async () => {
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  const of = (price: (id: number) => number) =>
    Object.fromEntries(ids.map((id) => [id, price(id)]));
  await prices(
    day,
    of(() => 100),
  );
  await prices(
    0,
    of((id) => 100 + (id % 2 === 0 ? id : -id)),
  );
  const { gainers, losers } = await movers();
  expect(gainers.d1.map(({ stock_id }) => stock_id)).toEqual([12, 10, 8, 6, 4]);
  expect(losers.d1.map(({ stock_id }) => stock_id)).toEqual([11, 9, 7, 5, 3]);
});

test("§7 row 63: stock ids are integers, and a start price of 0 is compared with nothing", async () => {
  await prices(day, { 1: 100, 2: 100 });
  await on.update(stockTicks).set({ price: 0 });
  await prices(0, { 1: 100, 2: 200 });
  expect(await movers()).toEqual({ gainers: none, losers: none });
  await on.update(stockTicks).set({ price: 50 });
  clock.advance(60);
  expect((await movers()).gainers.d1.map(({ stock_id }) => stock_id)).toEqual([2, 1]);
});

test("an answer is kept for a minute, and is tagged", async () => {
  await prices(day, { 1: 100 });
  await prices(0, { 1: 110 });
  const first = await call("/stocks/movers");
  expect(first.headers.get("cache-control")).toBe("private, max-age=60");
  const tag = first.headers.get("etag") ?? "";
  clock.advance(50);
  await prices(0, { 1: 120 });
  const second = await call("/stocks/movers", { "if-none-match": tag });
  expect([second.status, second.headers.get("cache-control")]).toEqual([
    304,
    "private, max-age=10",
  ]);
  clock.advance(10);
  expect((await movers()).gainers.d1[0]?.price).toBe(120);
});

test("a partial tick is in nobody's present price, and may be a start later", async () => {
  await prices(2 * day, { 1: 100, 2: 100 });
  await prices(day, { 1: 40 });
  await prices(0, { 1: 50, 2: 200 });
  const { gainers } = await movers();
  expect(gainers.d1.map(({ stock_id, start_price }) => [stock_id, start_price])).toEqual([
    [2, 100],
    [1, 40],
  ]);
});
