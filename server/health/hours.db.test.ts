import { expect, test } from "vitest";
import { jobRuns, trafficHours } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { visitor } from "#server/testing/world";
import { readRecentHours } from "./overview";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const hour = 3_600_000;
const started = Math.floor(clock.now().getTime() / hour) * hour;

test("the last 24 hours are drawn from counted calls, runs of jobs and the audit log", async () => {
  const before = new Date(started - hour);
  const counted = { endpoints: { "GET /a": [90, 3, 2, 1], "GET /b": [10, 0, 0, 0] } as const };
  for (const clientId of ["one", "two"])
    await database.query.insert(trafficHours).values({
      ...{ clientId, hour: before, ...counted, latency: { 30: 95, 40: 5 }, busiestMinute: 3 },
    });
  for (const [id, outcome] of [
    ["a", "done"],
    ["b", "failed"],
  ] as const)
    await database.query.insert(jobRuns).values({
      ...{ id, job: "job", slot: before, startedAt: new Date(before.getTime() + 500) },
      ...{ finishedAt: before, outcome },
    });
  const first = new Date(before.getTime() - 60_000);
  await database.query.insert(jobRuns).values({
    ...{ id: "c", job: "daily", slot: new Date(started - 9 * hour), startedAt: first },
    ...{ finishedAt: first, outcome: "done" },
  });
  for (const act of ["session.opened", "session.opened", "session.refused"] as const)
    await ctx.audit(database.query, visitor, act);

  const { hours } = await readRecentHours(ctx);
  expect(hours).toHaveLength(24);
  expect(hours.at(-2)).toEqual({
    ...{ at: before, calls: 200, refused: 10, errors: 2, p95: expect.any(Number) },
    ...{ signIns: 0, failedSignIns: 0, jobRuns: 2, failedJobs: 1, jobDelay: 0.5 },
  });
  expect(hours.at(-2)?.p95).toBeCloseTo(1.25 ** 30.5 / 1_000, 1);
  expect(hours.at(-10), "a slot from before the first run").toMatchObject({ jobDelay: 0 });
  expect(hours.at(-1)).toMatchObject({ signIns: 2, failedSignIns: 1, calls: 0, jobDelay: null });
});

test("the last 24 complete hours are compared with the 24 before, the running hour with none", async () => {
  for (const table of [trafficHours, jobRuns]) await database.query.delete(table);
  const counted = async (hoursAgo: number, calls: number, power: number) => {
    const at = new Date(started - hoursAgo * hour);
    await database.query.insert(trafficHours).values({
      ...{ clientId: "three", hour: at, endpoints: { "GET /a": [calls, 0, 0, 1] as const } },
      ...{ latency: { [power]: calls }, busiestMinute: 3 },
    });
    await database.query.insert(jobRuns).values({
      ...{ id: `job ${hoursAgo}`, job: "job", slot: at, startedAt: at, finishedAt: at },
      outcome: hoursAgo === 48 ? "failed" : "done",
    });
  };
  await counted(0, 1_000, 10);
  await counted(1, 30, 20);
  await counted(24, 10, 30);
  await counted(25, 7, 10);
  await counted(48, 5, 40);
  await counted(49, 1_000, 10);
  const { day, dayBefore } = await readRecentHours(ctx);
  expect(day).toMatchObject({ calls: 40, errors: 2, signIns: 0, jobRuns: 2, failedJobs: 0 });
  expect(day.p95).toBeCloseTo(1.25 ** 30.5 / 1_000, 1);
  expect(dayBefore).toMatchObject({ calls: 12, errors: 2, jobRuns: 2, failedJobs: 1 });
  expect(dayBefore.p95).toBeCloseTo(1.25 ** 40.5 / 1_000, 0);
});
