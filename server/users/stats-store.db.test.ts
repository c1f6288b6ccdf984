import { expect, test } from "vitest";
import { personalStats } from "#db/schema/stats";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { userSweeps } from "./stats-store";

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
  const moment = { now: ctx.now(), lifetimes: ctx.settings.lifetimes };
  expect(await sweep?.countDue(database.query, moment, 10)).toBe(2);
  const first = await sweep?.remove(database.query, moment, { limit: 1 });
  expect(first).toEqual({ rows: 1, reached: "2024-12-31" });
  expect(
    await sweep?.remove(database.query, moment, { limit: 5, reached: first?.reached }),
  ).toMatchObject({ rows: 1 });
  const left = await database.query.select({ day: personalStats.day }).from(personalStats);
  expect(left.map(({ day }) => day).sort()).toEqual(["2025-03-02", "2026-02-28"]);
});
