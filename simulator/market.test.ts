import { expect, test } from "vitest";
import { createGameClient } from "#server/game/client";
import { gameOverFetch } from "#server/testing/game-over-fetch";
import { processorTime } from "#server/testing/processor-time";
import { createPrices, createStockMarket } from "./market";

const epoch = new Date("2026-03-01T12:00:10.000Z");
const minuteOf = (at: Date) => Math.floor(at.getTime() / 60_000);
const month = 31 * 1_440;
const market = createStockMarket(1);
const stocks = market.stocks;

function open() {
  const game = gameOverFetch({ epoch });
  return { ...game, key: game.keys.loner };
}
const get = (path: string) => open().get(path);

/** Log-steps of a minute over a month. */
function steps(of: ReturnType<typeof createStockMarket>, id: number): number[] {
  const stock = of.find(id);
  if (!stock) throw new Error("No such stock.");
  const from = minuteOf(epoch) - month;
  const logs = Array.from({ length: month }, (_, at) => Math.log(of.price(stock, from + at)));
  return logs.slice(1).map((log, at) => log - (logs[at] ?? log));
}

test("there are 35 stocks with names and acronyms of their own, and ids with a gap", () => {
  expect(stocks).toHaveLength(35);
  for (const field of ["id", "name", "acronym"] as const)
    expect(new Set(stocks.map((one) => one[field])).size).toBe(35);
  expect(market.find(24)).toBeNull();
  expect(stocks.at(-1)?.id).toBe(36);
});

test("a price moves by some 0.0006 a minute, and does not wander off in a year", () => {
  for (const id of [1, 19, 36]) {
    const quiet = steps(market, id).filter((step) => Math.abs(step) < 0.01);
    const spread = Math.sqrt(quiet.reduce((sum, step) => sum + step * step, 0) / quiet.length);
    expect(spread).toBeGreaterThan(0.0004);
    expect(spread).toBeLessThan(0.0008);
  }
  for (const stock of stocks)
    for (let days = 0; days < 365; days += 5) {
      const ratio = market.price(stock, minuteOf(epoch) - days * 1_440) / stock.base;
      expect(ratio).toBeGreaterThan(0.6);
      expect(ratio).toBeLessThan(1.7);
    }
});

test("any minute of the past has one price, found without what came before it", () => {
  const again = createStockMarket(1);
  const [first] = stocks;
  if (!first) throw new Error("There are no stocks.");
  for (const back of [0, 1, 999, month]) {
    const minute = minuteOf(epoch) - back;
    expect(again.quote(first, minute)).toEqual(market.quote(first, minute));
    expect(createStockMarket(2).price(first, minute)).not.toBe(market.price(first, minute));
  }
});

test("all that is quoted is a positive exact number", () => {
  for (const stock of stocks) {
    const { price, cap, shares, investors } = market.quote(stock, minuteOf(epoch));
    expect(price).toBeGreaterThan(0);
    expect(Math.abs(price * 100 - Math.round(price * 100))).toBeLessThan(1e-6);
    for (const whole of [cap, shares, investors])
      expect(Number.isSafeInteger(whole) && whole > 0).toBe(true);
    expect(cap).toBe(Math.round(price * shares));
  }
});

test("a minute's tick is published two to four seconds after the minute began", () => {
  const moments = new Set<number>();
  for (let minute = minuteOf(epoch); minute < minuteOf(epoch) + 60; minute++) {
    const seen = (ms: number) => market.visibleMinute(new Date(minute * 60_000 + ms));
    expect([seen(0), seen(1_999), seen(4_000), seen(59_999)]).toEqual([
      minute - 1,
      minute - 1,
      minute,
      minute,
    ]);
    let ms = 2_000;
    while (seen(ms) < minute) ms += 10;
    moments.add(ms);
  }
  expect(moments.size).toBeGreaterThan(20);
});

test("a shock shows with the next minute, and changes no minute that was seen", async () => {
  const { client, key, control, simulator } = open();
  const price = async (id: number) => {
    simulator.control.clearCache();
    return (await client.stocks(key)).find(({ stockId }) => stockId === id)?.price ?? Number.NaN;
  };
  const [before, other] = [await price(7), await price(8)];
  control.shockStock({ stockId: 7, factor: 1.5 });
  expect(await price(7)).toBe(before);
  control.advance({ seconds: 60 });
  expect((await price(7)) / before).toBeCloseTo(1.5, 1);
  expect((await price(8)) / other).toBeCloseTo(1, 1);
  expect(() => control.shockStock({ stockId: 24, factor: 1.5 })).toThrow("stock does not exist");
  expect(() => control.shockStock({ stockId: 1, factor: 0 })).toThrow();
});

test("stocks pay money, items, points, energy, happiness and nerve, or grant a perk", async () => {
  const { client, key } = open();
  const bonuses = (await client.stocks(key)).map(({ bonus }) => bonus);
  const like = (pattern: RegExp) =>
    bonuses.filter((bonus) => !bonus.passive && pattern.test(bonus.description)).length;
  for (const pattern of [
    /^\$[\d,]+$/,
    /^1x /,
    /^\d+x [A-Z]/,
    / points$/,
    / Points$/,
    /energy$/,
    /happiness$/,
    /nerve$/,
  ])
    expect([pattern, like(pattern) > 0]).toEqual([pattern, true]);
  expect(bonuses.filter(({ passive }) => passive).length).toBeGreaterThan(8);
  for (const { passive, frequency } of bonuses) expect(frequency === null).toBe(passive);
});

test("every item that a stock pays exists, one of them without a price", async () => {
  const { client, key } = open();
  const prices = new Map(
    (await client.items(key)).map(({ name, marketPrice }) => [name, marketPrice]),
  );
  const paid = stocks.flatMap(({ bonus }) => /^\d+x (.+)$/.exec(bonus.description)?.[1] ?? []);
  expect(paid.filter((name) => !prices.has(name))).toEqual([]);
  expect(paid.filter((name) => prices.get(name) === null)).toEqual(["Unreleased Reel"]);
});

test("there are 120 items, whose prices change by the hour, and an offer for points", async () => {
  const { client, key } = open();
  const items = await client.items(key);
  expect(new Set(items.map(({ name }) => name)).size).toBe(120);
  expect(items.filter(({ marketPrice }) => marketPrice === null)).toHaveLength(10);
  const price = await client.pointsPrice(key);
  expect(price).toBeGreaterThan(40_000);
  expect(price).toBeLessThan(50_000);
  const prices = createPrices(1);
  const [item] = prices.items;
  if (!item) throw new Error("There are no items.");
  const at = (iso: string) => prices.marketPrice(item, new Date(iso));
  expect(at("2026-03-01T12:59:59Z")).toBe(at("2026-03-01T12:00:00Z"));
  expect(at("2026-03-03T12:00:00Z")).not.toBe(at("2026-03-01T12:00:00Z"));
});

test("one stock is asked about with a month of hourly prices, which are the prices of those minutes", async () => {
  const { stocks: one } = await get("torn/5/stocks");
  expect(one).toMatchObject({ id: 5, acronym: "FRN", market: { shares: 6_300_000_000 } });
  const { history } = one.chart;
  expect(history).toHaveLength(31 * 24);
  expect(history.at(-1).timestamp).toBe(Date.parse("2026-03-01T12:00:00Z") / 1_000);
  const stock = market.find(5);
  for (const { timestamp, price } of history.slice(0, 5))
    expect(stock && market.price(stock, timestamp / 60)).toBe(price);
});

test.each([
  "torn/24/stocks",
  "torn/9999/stocks",
  "torn/5/items",
  "torn/5/organizedcrimes",
  "market/5/pointsmarket",
])("%s names nothing", async (path) => {
  expect(await get(path)).toMatchObject({ error: { code: 6 } });
});

test("every key reads stocks, items and the points market", async () => {
  const { simulator } = open();
  const { key } = simulator.control.createKey({ playerId: 1005, level: 1 });
  const client = createGameClient({
    baseUrl: simulator.baseUrl,
    fetch: simulator.fetch,
    now: simulator.now,
  });
  expect(await client.stocks(key)).toHaveLength(35);
  expect(await client.items(key)).toHaveLength(120);
  expect(await client.pointsPrice(key)).not.toBeNull();
});

test("a thousand prices take no more than some milliseconds", () => {
  const [stock] = stocks;
  if (!stock) throw new Error("There are no stocks.");
  let minute = minuteOf(epoch);
  const readThousand = () => {
    for (let price = 0; price < 1_000; price++, minute -= 7) market.price(stock, minute);
  };
  expect(processorTime(readThousand)).toBeLessThan(250);
});
