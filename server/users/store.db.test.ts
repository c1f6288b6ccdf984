import { expect, test } from "vitest";
import { personalStats } from "#db/schema/stats";
import { countDue, sweepBatch } from "#db/sweep";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { userSweeps } from "./store";

const database = await testDatabase();
const { ctx } = await testContext({ database });

test("counters of a day a year ago are swept, younger ones stay", async () => {
  const days = ["2024-12-31", "2025-03-01", "2025-03-02", "2026-02-28"];
  await database.query
    .insert(personalStats)
    .values(
      days.map((day, index) => ({ playerId: index, day, counters: { xanax: 1 }, at: ctx.now() })),
    );
  const [sweep] = userSweeps;
  if (!sweep) throw new Error("Counters are not swept.");
  expect(await countDue(database.query, sweep, { now: ctx.now(), most: 10 })).toBe(2);
  expect(await sweepBatch(database.query, sweep, ctx.now())).toBe(2);
  const left = await database.query.select({ day: personalStats.day }).from(personalStats);
  expect(left.map(({ day }) => day).sort()).toEqual(["2025-03-02", "2026-02-28"]);
});
