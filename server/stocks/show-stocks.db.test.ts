import { expect, test } from "vitest";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { showStock, showStocks } from "./show-stocks";
import { insertTicks, saveNewestTick } from "./store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const { query } = database;
const ago = (hours: number) => new Date(clock.now().getTime() - hours * 3_600_000);
const bonus = { passive: false, frequency: 7, requirement: 1_000, description: "$50,000" };
const stock = (stockId: number, acronym: string, price: number) => ({
  ...{ stockId, name: `Stock ${acronym}`, acronym, price, bonus },
  ...{ marketCap: 10 * price, shares: 10, investors: 3 },
});

test("before the first tick there is nothing, and no stock", async () => {
  const nothing = { at: null, stocks: [], gainers: emptyRanking, losers: emptyRanking };
  expect(await showStocks(ctx)).toEqual({
    ...nothing,
    histories: { stocks: 0, asked: 0 },
    isRead: false,
  });
  expect(await showStock(ctx, "AAA")).toBeNull();
});
const emptyRanking = { d1: [], d7: [], m1: [] };

test("stocks carry changes, a line of 30 days, and the days in which their benefit pays back", async () => {
  const at = ago(0);
  const now = [stock(1, "AAA", 110), stock(2, "BBB", 50)];
  await insertTicks(query, [{ stockId: 1, price: 90, at: ago(24 * 10) }]);
  await insertTicks(query, [{ stockId: 1, price: 100, at: ago(25) }]);
  await insertTicks(
    query,
    now.map(({ stockId, price }) => ({ stockId, price, at })),
  );
  await saveNewestTick(query, now, at);

  const { stocks, gainers } = await showStocks(ctx);
  expect(stocks).toMatchObject([
    {
      acronym: "AAA",
      changes: { d1: 0.1, d7: 0.2222, m1: null },
      benefit: { kind: "active", cost: 110_000, payBackDays: 21 },
    },
    { acronym: "BBB", changes: { d1: null, d7: null, m1: null }, benefit: { payBackDays: 7 } },
  ]);
  // A place takes the last price at or before it; places before the first tick have none.
  expect(stocks.map(({ prices }) => prices)).toEqual([[...Array(9).fill(90), 100, 110], [50]]);
  expect(gainers.d1).toMatchObject([{ stockId: 1 }]);
});

test("a stock is found by its short name in any case, with finer prices", async () => {
  const found = await showStock(ctx, "aaa");
  expect(found?.stock).toMatchObject({ acronym: "AAA", name: "Stock AAA" });
  expect(found?.last30Days.at(-1)).toEqual({ stockId: 1, at: ago(0), price: 110 });
  expect(found?.lastDay).toHaveLength(97);
  expect(found?.lastDay[0]).toEqual({ stockId: 1, at: ago(24), price: 100 });
  expect(await showStock(ctx, "ZZZ")).toBeNull();
});
