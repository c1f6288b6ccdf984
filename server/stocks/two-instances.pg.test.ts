import { expect, test } from "vitest";
import { accounts } from "#db/schema/accounts";
import { stocks, stockTicks } from "#db/schema/stocks";
import { createRunner } from "#server/jobs/runner";
import { testDatabase } from "#server/testing/database";
import { enrol } from "#server/testing/enrol";
import { testContext } from "#server/testing/test-context";
import { recordTick } from "./read-tick";
import { refreshStocksJob } from "./refresh-stocks";

const database = await testDatabase();
const world = await testContext({ database });
const { ctx, clock, simulator } = world;
const other = await testContext({ database, beside: world });
const { key } = await enrol(ctx, "member");
await database.query.update(accounts).set({ lendsKey: true });

test("of two instances one reads a minute's tick", async () => {
  const runners = [ctx, other.ctx].map((one) => createRunner(one, [refreshStocksJob]));
  let calls = 0;
  for (const one of [ctx, other.ctx]) {
    const read = one.game.stocks;
    one.game.stocks = (text) => {
      calls++;
      return read(text);
    };
  }
  for (let minute = 0; minute < 3; minute++) {
    await Promise.all(runners.map((runner) => runner.look()));
    await Promise.all(runners.map((runner) => runner.idle()));
    clock.advance(60);
    simulator.control.clearCache();
  }
  expect(calls).toBe(3);
  expect(await database.query.select().from(stocks)).toHaveLength(35);
});

test("many writers of neighbouring minutes end with the newest tick whole, whichever is last", async () => {
  const seen = await ctx.game.stocks(key);
  const base = Math.floor(clock.now().getTime() / 60_000) * 60_000;
  for (let round = 0; round < 5; round++) {
    const minutes = [3, 1, 2, 0, 3, 2].map(
      (offset) => new Date(base + (round * 4 + offset) * 60_000),
    );
    const answers = minutes.map((at, index) => ({
      at,
      seen: index % 2 === 0 ? seen : seen.toReversed(),
    }));
    await Promise.all(
      answers.map((answer, index) => recordTick(index % 2 === 0 ? ctx : other.ctx, answer)),
    );
    const latest = await database.query.select().from(stocks);
    expect(latest).toHaveLength(35);
    expect(new Set(latest.map(({ at }) => at.getTime()))).toEqual(
      new Set([base + (round * 4 + 3) * 60_000]),
    );
  }
  const rows = await database.query.select().from(stockTicks);
  expect(new Set(rows.map(({ stockId, at }) => `${stockId} ${at.getTime()}`)).size).toBe(
    rows.length,
  );
});
