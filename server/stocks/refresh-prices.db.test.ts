import { beforeEach, expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { items } from "#db/schema/stocks";
import type { Context } from "#server/context";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { refreshPricesJob } from "./refresh-prices";
import { findItemsByName, findPointsPrice } from "./store";

const database = await testDatabase();
const { ctx, clock, simulator } = await testContext({ database });
const on = database.query;
await enrol(ctx, "member");
const run = (as: Context = ctx) =>
  refreshPricesJob.run(as, { budget: 2, signal: new AbortController().signal });

beforeEach(async () => {
  await on.update(accounts).set({ lendsKey: true });
  simulator.control.clearFaults();
  simulator.control.clearCache();
});

test("the job uses nobody's key unasked", async () => {
  await on.update(accounts).set({ lendsKey: false });
  expect(await run()).toEqual({ items: 0, points: 0, withoutKey: 1 });
});

test("things are read every four hours and the price of a point once a day", async () => {
  const read: string[] = [];
  for (let slot = 0; slot <= 24 * 6; slot++) {
    const counts = await run();
    if (counts.items || counts.points)
      read.push(`${slot / 6} h: ${counts.items} and ${counts.points}`);
    clock.advance(600);
  }
  expect(read).toEqual(
    [0, 4, 8, 12, 16, 20, 24].map((hour) => `${hour} h: 120 and ${hour % 24 === 0 ? 1 : 0}`),
  );
});

test("a reading that fails is made up for at the next look, and what was known stays", async () => {
  clock.advance(5 * 3_600);
  const before = await on.select().from(items);
  simulator.control.addFault({ path: "torn/items", truncate: true });
  await expect(run()).rejects.toThrow();
  expect(await on.select().from(items)).toEqual(before);
  simulator.control.clearFaults();
  clock.advance(600);
  expect(await run()).toMatchObject({ items: 120 });
});

test("where nobody offers points their last price stays", async () => {
  clock.advance(25 * 3_600);
  const before = await findPointsPrice(on);
  const without: Context = { ...ctx, game: { ...ctx.game, pointsPrice: async () => null } };
  expect(await run(without)).toMatchObject({ points: 0 });
  expect(await findPointsPrice(on)).toEqual(before);
});

test("a price is kept in whole money, and an item is found by its name in any case", async () => {
  clock.advance(5 * 3_600);
  const [item] = await ctx.game.items(simulator.demoKeys.loner);
  if (!item) throw new Error("There are no items.");
  const odd: Context = {
    ...ctx,
    game: { ...ctx.game, items: async () => [{ ...item, marketPrice: 12.5 }] },
  };
  await run(odd);
  const found = await findItemsByName(on, [item.name.toLowerCase(), "nothing"]);
  expect([...found.values()]).toEqual([{ ...item, marketPrice: 13 }]);
});
