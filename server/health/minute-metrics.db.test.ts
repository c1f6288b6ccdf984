import { beforeEach, expect, test } from "vitest";
import { minuteFigures } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";
import { createFigureRecorder, hoursOf, listMetricsPeriods } from "./minute-metrics";
import { addFigures } from "./store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const on = database.query;

beforeEach(() => on.delete(minuteFigures));

test("two processes add to one minute, at once, and nothing is counted twice", async () => {
  const processes = await Promise.all([testContext({ database }), testContext({ database })]);
  const recorders = processes.map((each) => createFigureRecorder({ ...each.ctx, now: ctx.now }));
  for (let round = 0; round < 5; round++) {
    for (const each of processes) {
      each.ctx.metrics.requests.of("GET", "/api/v1/user", "200").observe(0.002);
      each.ctx.metrics.signIns.of("key", "signed-in").inc();
    }
    await Promise.all(recorders.map((recorder) => recorder.record()));
  }
  await Promise.all(recorders.map((recorder) => recorder.close()));
  expect((await listMetricsPeriods(ctx)).at(-1)).toMatchObject({
    calls: 10,
    signIns: 10,
    errors: 0,
    p95: 2.5,
  });
});

test("what the database would not take is written with the next", async () => {
  const one = await testContext({ database });
  let isAway = true;
  const recorder = createFigureRecorder({
    ...one.ctx,
    now: ctx.now,
    database: {
      ...database,
      get query() {
        if (isAway) throw new Error("away");
        return on;
      },
    },
  });
  one.ctx.metrics.requests.of("GET", "/api/v1/user", "200").observe(1);
  await recorder.record();
  one.ctx.metrics.requests.of("GET", "/api/v1/user", "200").observe(1);
  isAway = false;
  await recorder.close();
  expect((await listMetricsPeriods(ctx)).at(-1)?.calls).toBe(2);
});

test("a day is 96 quarters of an hour, those without anything too; of its hours those are told that had something", async () => {
  await addFigures(on, ctx.now(), {
    calls: 3,
    "within:0.1": 3,
    "within:+Inf": 3,
    jobRuns: 4,
    jobDelay: 2,
  });
  await addFigures(on, new Date(ctx.now().getTime() - 23 * 3_600_000), { calls: 4, errors: 1 });
  await addFigures(on, new Date(ctx.now().getTime() - 25 * 3_600_000), { calls: 100 });
  const figures = await listMetricsPeriods(ctx);
  expect(figures).toHaveLength(96);
  expect(figures.at(-1)).toMatchObject({ calls: 3, p95: 100, jobDelay: 0.5 });
  expect(figures.filter(({ calls }) => calls > 0).map(({ calls }) => calls)).toEqual([4, 3]);
  const hours = hoursOf(figures);
  expect(hours.map(({ calls, errors, jobRuns }) => [calls, errors, jobRuns])).toEqual([
    [3, 0, 4],
    [4, 1, 0],
  ]);
});

test("figures are kept two days", async () => {
  await addFigures(on, ctx.now(), { calls: 1 });
  clock.advance(2 * 86_400 + 60);
  await addFigures(on, ctx.now(), { calls: 2 });
  await sweepAll(ctx);
  expect((await on.select().from(minuteFigures)).map(({ value }) => value)).toEqual([2]);
});
