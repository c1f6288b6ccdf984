import { expect, test } from "vitest";
import { jobRuns } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import { readJobsHealth } from "./jobs-health";
import { jobs } from "./list";
import { runId } from "./store";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });

const job = "refresh-users";
const minute = 60_000;
const slotAt = (minutesAgo: number) =>
  new Date(Math.floor(clock.now().getTime() / minute) * minute - minutesAgo * minute);
const insert = (
  minutesAgo: number,
  ending: { outcome: "done" | "failed"; finishedAt: Date } | object,
) => {
  const slot = slotAt(minutesAgo);
  const row = { id: runId(job, slot), job, slot, startedAt: slot, ...ending };
  return database.query.insert(jobRuns).values(row);
};
const health = async () => (await readJobsHealth(ctx)).find(({ name }) => name === job);

test("before their first run jobs are waiting", async () => {
  const all = await readJobsHealth(ctx);
  expect(all.map(({ name }) => name)).toEqual(jobs.map(({ name }) => name));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["waiting"]));
});

test("a job is waiting while its first run is going, and late if that run does not end for three slots", async () => {
  await insert(0, {});
  expect(await health()).toMatchObject({ status: "waiting", lastOutcome: "running" });
  clock.advance(180);
  expect(await health()).toMatchObject({ status: "late", lastOutcome: "running" });
});

test("a job whose last run ended well is ok, also while the next one is going", async () => {
  await insert(1, {
    outcome: "done",
    finishedAt: slotAt(1),
    counts: { refreshed: 3, left: 40, oldest: 7_200 },
  });
  expect(await health()).toMatchObject({
    status: "ok",
    lastOutcome: "done",
    counts: { refreshed: 3 },
  });
  expect(await health()).toMatchObject({ backlog: { items: 40, oldestSeconds: 7_200 } });
  await insert(0, {});
  expect(await health()).toMatchObject({
    status: "ok",
    lastOutcome: "running",
    lastDone: slotAt(1),
  });
});

test("a job that fails or stands still for three slots is late", async () => {
  for (const _ of [1, 2]) {
    clock.advance(60);
    await insert(0, { outcome: "failed", finishedAt: clock.now() });
  }
  expect(await health()).toMatchObject({
    status: "late",
    lastOutcome: "failed",
    counts: { refreshed: 3 },
  });
});
