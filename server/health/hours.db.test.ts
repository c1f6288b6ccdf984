import { expect, test } from "vitest";
import { jobRuns, trafficHours } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { visitor } from "#server/testing/world";
import { listHours } from "./hours";

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

  const hours = await listHours(ctx);
  expect(hours).toHaveLength(24);
  expect(hours.at(-2)).toEqual({
    ...{ at: before, calls: 200, refused: 10, errors: 2, p95: expect.any(Number) },
    ...{ signIns: 0, failedSignIns: 0, jobRuns: 2, failedJobs: 1, jobDelay: 0.5 },
  });
  expect(hours.at(-2)?.p95).toBeCloseTo(1.25 ** 30.5 / 1_000, 1);
  expect(hours.at(-10), "a slot from before the first run").toMatchObject({ jobDelay: 0 });
  expect(hours.at(-1)).toMatchObject({ signIns: 2, failedSignIns: 1, calls: 0, jobDelay: null });
});
