import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { stocks, stockTicks } from "#db/schema/stocks";
import type { Context } from "#server/context";
import { callAs } from "#server/testing/call-as";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { refreshStocksJob } from "./refresh-stocks";
import { listPriceSpans } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const on = database.query;
const person = await enrol(ctx, "member");
const call = callAs(ctx, {});

const run = (as: Context = ctx) =>
  refreshStocksJob.run(as, { budget: 8, signal: new AbortController().signal });
/** Moves to the second of a coming minute at which the job is due, or another second of it. */
const toNextMinute = (second = 5) => {
  const now = clock.now().getTime();
  clock.advance((Math.floor(now / 60_000) * 60_000 + 60_000 + second * 1_000 - now) / 1_000);
  simulator.control.clearCache();
};
const minuteNow = () => new Date(Math.floor(clock.now().getTime() / 60_000) * 60_000);
type Told = Record<string, { timestamp: number; price: number; acronym: string }>;
const told = async () => (await call("/stocks")).json as Told;
const timestamps = async () => [
  ...new Set(Object.values(await told()).map(({ timestamp }) => timestamp)),
];
const unix = (at: Date) => at.getTime() / 1_000;
const countTicks = async (stockId: number) =>
  (await on.select().from(stockTicks).where(eq(stockTicks.stockId, stockId))).length;

/** The same game, of which an answer lacks some stocks. */
const lacking = (...missing: number[]): Context => ({
  ...ctx,
  game: {
    ...ctx.game,
    stocks: async (key) =>
      (await ctx.game.stocks(key)).filter(({ stockId }) => !missing.includes(stockId)),
  },
});

beforeEach(async () => {
  await on.update(accounts).set({ lendsKey: true });
  simulator.control.clearFaults();
  toNextMinute();
});

test("the job uses nobody's key unasked", async () => {
  await on.update(accounts).set({ lendsKey: false });
  expect(await run()).toMatchObject({ complete: 0, withoutKey: 1 });
  expect(await on.select().from(stocks)).toEqual([]);
});

test("a tick is stored under the minute that it was read in, all stocks of it, in one round", async () => {
  expect(await run()).toMatchObject({ complete: 1, partial: 0, withoutKey: 0 });
  const stocksNow = await told();
  expect(Object.keys(stocksNow)).toHaveLength(35);
  expect(await timestamps()).toEqual([unix(minuteNow())]);
  const [shown] = await ctx.game.stocks(person.key);
  expect(stocksNow[1]).toEqual({
    timestamp: unix(minuteNow()),
    price: shown?.price,
    market_cap: shown?.marketCap,
    shares: shown?.shares,
    investors: shown?.investors,
    acronym: "PEL",
  });
});

test("the same slot again changes nothing", async () => {
  await run();
  const newest = () =>
    on
      .select({ id: stocks.id, at: stocks.at, price: stocks.price })
      .from(stocks)
      .orderBy(stocks.id);
  const before = [await newest(), await countTicks(1)];
  simulator.control.shockStock({ stockId: 1, factor: 2 });
  await run();
  expect([await newest(), await countTicks(1)]).toEqual(before);
});

test("a shock shows with the next tick, within a minute, and nowhere else", async () => {
  await run();
  const before = await told();
  simulator.control.shockStock({ stockId: 7, factor: 1.3 });
  expect(await told()).toEqual(before);
  toNextMinute();
  await run();
  const after = await told();
  for (const [id, { price }] of Object.entries(after)) {
    const ratio = price / (before[id]?.price ?? 0);
    expect([id, Math.abs(ratio - (id === "7" ? 1.3 : 1)) < 0.02]).toEqual([id, true]);
  }
});

test("§7 row 61: the answer is that of the newest tick from the moment that the tick is there, not an hour later", async () => {
  for (let round = 0; round < 3; round++) {
    toNextMinute();
    await run();
    expect(await timestamps()).toEqual([unix(minuteNow())]);
  }
});

test("§7 row 61: a tick that is late or never comes leaves the last one, whose timestamp says so", async () => {
  await run();
  const last = minuteNow();
  for (const fault of [
    { code: 17 },
    { code: 9 },
    { http: 502 },
    { drop: true },
    { malformed: true },
    { truncate: true },
  ]) {
    simulator.control.addFault({ path: "torn/stocks", ...fault });
    toNextMinute();
    await expect(run()).rejects.toThrow();
    expect(await timestamps()).toEqual([unix(last)]);
    simulator.control.clearFaults();
  }
  const answer = await call("/stocks");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("private, max-age=1");
  toNextMinute(30);
  await run();
  expect(await timestamps()).toEqual([unix(minuteNow())]);
});

describe("a partial answer", () => {
  test("never becomes the newest tick, and is history all the same", async () => {
    await run();
    const last = minuteNow();
    const [had, lacked] = [await countTicks(2), await countTicks(1)];
    toNextMinute();
    expect(await run(lacking(1))).toMatchObject({ complete: 0, partial: 1 });
    expect(await timestamps()).toEqual([unix(last)]);
    expect(Object.keys(await told())).toHaveLength(35);
    expect([await countTicks(2), await countTicks(1)]).toEqual([had + 1, lacked]);
    toNextMinute();
    expect(await run()).toMatchObject({ complete: 1 });
    expect(await timestamps()).toEqual([unix(minuteNow())]);
  });

  test("is completed by a whole one of the same minute", async () => {
    await run(lacking(1, 2, 3));
    expect(await run()).toMatchObject({ complete: 1 });
    expect(await timestamps()).toEqual([unix(minuteNow())]);
  });

  test("without a single stock is no tick", async () => {
    await run();
    const last = minuteNow();
    toNextMinute();
    const all = Array.from({ length: 40 }, (_, id) => id);
    expect(await run(lacking(...all))).toMatchObject({ complete: 0, partial: 1 });
    expect(await timestamps()).toEqual([unix(last)]);
  });

  test("counts as whole once the stock was gone for an hour: it is delisted; and it comes back", async () => {
    await run();
    toNextMinute();
    await run(lacking(5));
    clock.advance(3_540);
    expect(await run(lacking(5))).toMatchObject({ partial: 1 });
    clock.advance(60);
    expect(await run(lacking(5))).toMatchObject({ complete: 1 });
    expect(Object.keys(await told())).toHaveLength(34);
    toNextMinute();
    await run();
    expect(Object.keys(await told())).toHaveLength(35);
  });
});

test("§7 row 62: nothing is read in the first seconds of a minute, when it is not clear whose tick it is", async () => {
  await run();
  const last = minuteNow();
  toNextMinute(2);
  expect(await run()).toMatchObject({ complete: 0, unclear: 1 });
  expect(await timestamps()).toEqual([unix(last)]);
});

test("an answer that the minute turned under is not stored", async () => {
  await run();
  const last = minuteNow();
  toNextMinute(58);
  const slow: Context = {
    ...ctx,
    game: {
      ...ctx.game,
      stocks: async (key) => {
        const answer = await ctx.game.stocks(key);
        clock.advance(3);
        return answer;
      },
    },
  };
  expect(await run(slow)).toMatchObject({ complete: 0, unclear: 1 });
  expect(await timestamps()).toEqual([unix(last)]);
});

test("what the game remembers of another call with the same key is not taken for the new tick", async () => {
  toNextMinute(50);
  await ctx.game.stockHistory(person.key, 1);
  const asked = await ctx.game.stocks(person.key);
  // 15 seconds on: the game's own cache of 29 seconds would still give the former minute.
  clock.advance(15);
  await run();
  const first = (await told())[1];
  expect(first?.timestamp).toBe(unix(minuteNow()));
  expect(first?.price).not.toBe(asked[0]?.price);
});

test("midnight is a minute like every other", async () => {
  clock.advance((Date.UTC(2026, 2, 3, 23, 59, 5) - clock.now().getTime()) / 1_000);
  for (const minute of ["2026-03-03T23:59:00Z", "2026-03-04T00:00:00Z", "2026-03-04T00:01:00Z"]) {
    await run();
    expect(await timestamps()).toEqual([Date.parse(minute) / 1_000]);
    toNextMinute();
  }
});

describe("the past", () => {
  test("is read once from the charts, seven stocks a minute, so that movers soon have every start", async () => {
    await on.delete(stockTicks);
    await on.update(stocks).set({ historyAskedAt: null });
    const counts: number[] = [];
    for (let minute = 0; minute < 7; minute++) {
      toNextMinute();
      counts.push((await run()).histories ?? 0);
    }
    expect(counts).toEqual([7, 7, 7, 7, 7, 0, 0]);
    for (const { starts } of await listPriceSpans(database))
      for (const start of Object.values(starts)) expect(start).toBeGreaterThan(0);
    const oldest = await on.select().from(stockTicks).orderBy(stockTicks.at).limit(1);
    expect(oldest[0]?.at.getTime()).toBeGreaterThan(clock.now().getTime() - 31 * 86_400_000);
  });

  test("is not asked for again where the game gives none", async () => {
    await on.update(stocks).set({ historyAskedAt: null });
    simulator.control.addFault({ path: "torn/9/stocks", code: 4, times: 1 });
    simulator.control.addFault({ path: "torn/2/stocks", malformed: true, times: 1 });
    expect(await run()).toMatchObject({ complete: 1, histories: 6 });
    const rows = await on.select().from(stocks).where(eq(stocks.id, 2));
    expect(rows[0]?.historyAskedAt).toEqual(clock.now());
  });

  test("waits for the next minute where the game fails for a while; the tick is stored all the same", async () => {
    await on.update(stocks).set({ historyAskedAt: null });
    simulator.control.addFault({ path: "torn/3/stocks", code: 17 });
    expect(await run()).toMatchObject({ complete: 1, histories: 2 });
    simulator.control.clearFaults();
    toNextMinute();
    expect(await run()).toMatchObject({ histories: 7 });
  });

  test("of an outage is read when it is over", async () => {
    for (let minute = 0; minute < 6; minute++) {
      toNextMinute();
      await run();
    }
    expect((await run()).histories).toBe(0);
    clock.advance(5 * 3_600);
    toNextMinute();
    const had = await countTicks(1);
    expect(await run()).toMatchObject({ complete: 1, histories: 7 });
    expect((await countTicks(1)) - had).toBeGreaterThanOrEqual(5);
  });
});

test("the job stays within what it says it spends, and within the background share of a key", async () => {
  await on.update(stocks).set({ historyAskedAt: null });
  toNextMinute();
  let calls = 0;
  const counted = <Args extends unknown[], Result>(ask: (...args: Args) => Result) => {
    return (...args: Args) => {
      calls++;
      return ask(...args);
    };
  };
  const { stocks: askStocks, stockHistory } = ctx.game;
  const counting: Context = {
    ...ctx,
    game: { ...ctx.game, stocks: counted(askStocks), stockHistory: counted(stockHistory) },
  };
  await run(counting);
  expect(calls).toBe(8);
  expect(refreshStocksJob.budget).toBe(8);
});
