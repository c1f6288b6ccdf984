import { expect, test } from "vitest";
import { stocks, stockTicks } from "#db/schema/stocks";
import { testDatabase } from "#server/testing/database";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const on = database.query;
const day = 86_400_000;
const ago = (ms: number) => new Date(clock.now().getTime() - ms);

test("ticks are kept for 31 days and no longer, of every stock, in batches", async () => {
  const ids = [1, 2, 3];
  const stock = {
    name: "A",
    acronym: "A",
    passive: true,
    requirement: 1,
    description: "",
    at: clock.now(),
    price: 1,
    marketCap: 1,
    shares: 1,
    investors: 1,
  };
  await on.insert(stocks).values(ids.map((id) => ({ id, ...stock })));
  const tick = (stockId: number, at: Date) => ({ stockId, at, price: 1 });
  const old = ids.flatMap((id) =>
    Array.from({ length: 1_500 }, (_, minute) => tick(id, ago(31 * day + minute * 60_000))),
  );
  const kept = ids.flatMap((id) => [tick(id, ago(0)), tick(id, ago(31 * day - 60_000))]);
  for (let from = 0; from < old.length; from += 1_000)
    await on.insert(stockTicks).values(old.slice(from, from + 1_000));
  await on.insert(stockTicks).values(kept);
  const [counts] = await sweepAll(ctx);
  expect(counts).toMatchObject({ "removed.stock_ticks": old.length, due: 0 });
  expect(await on.select().from(stockTicks)).toHaveLength(kept.length);
});
