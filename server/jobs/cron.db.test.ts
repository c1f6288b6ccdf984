import { beforeEach, expect, test } from "vitest";
import { jobRuns } from "#db/schema/operations";
import { answer } from "#server/answer";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";

const cronSecret = "of-the-timetable-0123456789-abcdefghij";
const database = await testDatabase();
const { ctx } = await testContext({
  database,
  settings: { serverless: { cronSecret, cronSeconds: 0 } },
});

beforeEach(() => database.query.delete(jobRuns));

async function ask(authorization: string | undefined, method = "GET", context = ctx) {
  const request = new Request("http://localhost/cron/jobs", {
    method,
    ...(authorization && { headers: { authorization } }),
  });
  const said = await answer(context, request, { address: null, requestId: undefined });
  return {
    status: said.status,
    headers: said.headers,
    record: await said.json(),
    runs: await database.query.select().from(jobRuns),
  };
}

test.each([
  undefined,
  "",
  "Bearer",
  "Bearer ",
  `Bearer ${cronSecret}x`,
  `Bearer ${cronSecret.slice(1)}`,
  `Basic ${cronSecret}`,
  cronSecret,
])("jobs are nobody's to start without the secret of the timetable: %s", async (authorization) => {
  const { status, headers, runs } = await ask(authorization);
  expect([status, headers.get("www-authenticate"), runs.length]).toEqual([401, "Bearer", 0]);
});

test("with it they run, and the answer comes when they have ended", async () => {
  const { status, headers, record, runs } = await ask(`Bearer ${cronSecret}`);
  expect([status, record, headers.get("cache-control")]).toEqual([
    200,
    { status: "done" },
    "no-store",
  ]);
  expect(runs.length).toBeGreaterThan(0);
  expect(runs.filter(({ finishedAt }) => finishedAt === null)).toEqual([]);
});

test("another method is refused, and starts nothing", async () => {
  const { status, headers, runs } = await ask(`Bearer ${cronSecret}`, "POST");
  expect([status, headers.get("allow"), runs.length]).toEqual([405, "GET", 0]);
});

test("where the process runs on between two calls the path is not there", async () => {
  const usual = await testContext({ database });
  const { status, record } = await ask(`Bearer ${cronSecret}`, "GET", usual.ctx);
  expect([status, record]).toEqual([404, expect.objectContaining({ code: 4010 })]);
});
