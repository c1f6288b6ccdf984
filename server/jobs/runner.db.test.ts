import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobRuns } from "#db/schema/operations";
import { gameCallError } from "#server/game/game-call-error";
import { testDatabase } from "#server/testing/database";
import { testContext } from "#server/testing/test-context";
import type { Counts, Job, RunLimits } from "./job";
import { createRunner } from "./runner";
import { findLastRuns } from "./store";

const database = await testDatabase();
const { ctx, clock, log } = await testContext({ database });

const everyMinute = (name: string, run: Job["run"]): Job => ({
  name,
  cadence: { everySeconds: 60 },
  budget: 5,
  run,
});
const rowsOf = (name: string) => database.query.select().from(jobRuns).where(eq(jobRuns.job, name));

function held() {
  const { promise: ended, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const works: RunLimits[] = [];
  const run = async (_ctx: unknown, work: RunLimits) => {
    works.push(work);
    begin();
    await ended;
    return { runs: works.length };
  };
  return { run, works, begun, release };
}

test("a run's row holds slot, outcome and counts", async () => {
  const runner = createRunner(ctx, [
    everyMinute("counting", async (_ctx, { budget }) => ({ seen: 3, budget })),
  ]);
  await runner.look();
  await runner.idle();
  const [row] = await rowsOf("counting");
  expect(row).toMatchObject({
    id: "counting:2026-03-01T12:00:00.000Z",
    outcome: "done",
    counts: { seen: 3, budget: 5 },
    startedAt: clock.now(),
    finishedAt: clock.now(),
    error: null,
  });
});

test("a failed run is recorded and logged, and the next slot is run all the same", async () => {
  let runs = 0;
  const job = everyMinute("failing", async () => {
    runs++;
    throw new Error("the moon is full");
  });
  const runner = createRunner(ctx, [job]);
  for (const _ of [1, 2]) {
    clock.advance(60);
    await runner.look();
    await runner.look();
    await runner.idle();
  }
  expect(runs).toBe(2);
  expect((await rowsOf("failing")).map(({ outcome, error }) => ({ outcome, error }))).toEqual([
    { outcome: "failed", error: "Error: the moon is full" },
    { outcome: "failed", error: "Error: the moon is full" },
  ]);
  expect(
    log.lines.filter(({ level, message }) => level === "error" && message === "job failed"),
  ).toHaveLength(2);
});

test("a run that an outage of the game ended is recorded as failed, and is no fault of ours in the log", async () => {
  const job = everyMinute("outage", async () => {
    throw gameCallError({ kind: "server-side", detail: "calls rest" });
  });
  const runner = createRunner(ctx, [job]);
  await runner.look();
  await runner.idle();
  expect(await rowsOf("outage")).toMatchObject([
    { outcome: "failed", error: "GameCallError: server-side: calls rest" },
  ]);
  expect(
    log.lines.filter(
      ({ level, fields }) => level === "error" && JSON.stringify(fields).includes("outage"),
    ),
  ).toEqual([]);
});

test("the values of a failed query reach neither the row nor the log", async () => {
  const job = everyMinute("querying", async (ctx) => {
    await ctx.database.query.execute(sql`select ${"a private value"}::integer`);
    return {};
  });
  const runner = createRunner(ctx, [job]);
  await runner.look();
  await runner.idle();
  const [row] = await rowsOf("querying");
  expect(row?.outcome).toBe("failed");
  expect(row?.error).toContain("22P02");
  expect(row?.error).not.toContain("private");
});

test("a job does not overlap with itself; the newest slot follows when the long run ended", async () => {
  const { run, works, begun, release } = held();
  const runner = createRunner(ctx, [everyMinute("long", run)]);
  await runner.look();
  await begun;
  for (const _ of [1, 2, 3]) {
    clock.advance(60);
    await runner.look();
  }
  expect(works).toHaveLength(1);
  release();
  await runner.idle();
  await runner.look();
  await runner.idle();
  expect(works).toHaveLength(2);
});

test("slots missed during an outage are not caught up in a burst: only the newest is run", async () => {
  let runs = 0;
  const runner = createRunner(ctx, [
    everyMinute("late", async () => {
      runs++;
      return { runs };
    }),
  ]);
  await runner.look();
  await runner.idle();
  clock.advance(6 * 3_600);
  for (const _ of [1, 2, 3]) {
    await runner.look();
    await runner.idle();
  }
  expect(runs).toBe(2);
  expect(await rowsOf("late")).toHaveLength(2);
});

test("stopping tells the running job, waits for it, and starts nothing more", async () => {
  const { run, works, begun, release } = held();
  const runner = createRunner(ctx, [everyMinute("draining", run)]);
  await runner.look();
  await begun;
  const stopped = runner.stop(10_000);
  expect(works[0]?.signal.aborted).toBe(true);
  release();
  await stopped;
  const [row] = await rowsOf("draining");
  expect(row?.outcome).toBe("done");
  clock.advance(60);
  await runner.look();
  expect(works).toHaveLength(1);
});

test("a run that outlasts the grace gives its slot back", async () => {
  const { run, begun, release } = held();
  const runner = createRunner(ctx, [everyMinute("stubborn", run)]);
  await runner.look();
  await begun;
  await runner.stop(10);
  const [row] = await rowsOf("stubborn");
  expect(row).toMatchObject({ outcome: "failed" });
  release();
  await runner.idle();
});

test("a run without end is told to end, then given up: its job runs again in the next slot", async () => {
  const { run, works, begun, release } = held();
  const runner = createRunner(ctx, [everyMinute("endless", run)], { longestRunMs: 10 });
  await runner.look();
  await begun;
  await runner.idle();
  expect(works[0]?.signal.aborted).toBe(true);
  expect(await rowsOf("endless")).toMatchObject([
    { outcome: "failed", error: "NoAnswerInTime: no answer in time" },
  ]);
  clock.advance(60);
  release();
  await runner.look();
  await runner.idle();
  expect(works).toHaveLength(2);
});

test("a process that is draining starts no job, and tells the running ones", async () => {
  const { run, works, begun, release } = held();
  let isOver = false;
  const draining = { ...ctx, presence: { ...ctx.presence, draining: () => isOver } };
  const runner = createRunner(draining, [everyMinute("winding-down", run)]);
  await runner.look();
  await begun;
  isOver = true;
  clock.advance(60);
  await runner.look();
  expect(works[0]?.signal.aborted).toBe(true);
  release();
  await runner.idle();
  await runner.look();
  expect(works).toHaveLength(1);
});

test("runs that counted nothing are kept for ten minutes; a run that did something or failed is kept, and the last one of a job", async () => {
  const name = "mostly idle";
  const slots: (Counts | undefined)[] = [
    { seen: 0 },
    {},
    { seen: 2, left: 0 },
    { seen: 0 },
    undefined,
    { seen: 0 },
  ];
  const run = async () => {
    const next = slots.length > 0 ? slots.shift() : { seen: 0 };
    if (!next) throw new Error("no luck");
    return next;
  };
  const runner = createRunner(ctx, [{ name, cadence: { everySeconds: 60 }, budget: 0, run }]);
  for (let minute = 0; minute < 30; minute++) {
    clock.advance(60);
    await runner.look();
    await runner.idle();
  }
  const rows = await database.query
    .select()
    .from(jobRuns)
    .where(eq(jobRuns.job, name))
    .orderBy(jobRuns.slot);
  const lastTen = Array(11).fill({ seen: 0 });
  expect(rows.map(({ outcome, counts }) => counts ?? outcome)).toEqual([
    { seen: 2, left: 0 },
    "failed",
    ...lastTen,
  ]);
  clock.advance(86_400);
  await runner.look();
  await runner.idle();
  expect((await findLastRuns(database.query, [name], "done")).get(name)?.finishedAt).toEqual(
    clock.now(),
  );
});
