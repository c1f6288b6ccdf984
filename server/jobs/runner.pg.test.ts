import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { jobRuns } from "#db/schema/operations";
import { testPostgresUrl } from "#server/testing/database";
import { type TestContext, testContext } from "#server/testing/test-context";
import type { Job } from "./job";
import { createRunner } from "./runner";
import { claimSlots } from "./store";

const url = await testPostgresUrl();
const first = openPostgres({ url });
const second = openPostgres({ url });
afterAll(() => Promise.all([first.close(), second.close()]));
const one = await testContext({ database: first });
const two = await testContext({ database: second, beside: one });

const counted = (name: string, everySeconds: number) => {
  let runs = 0;
  const job: Job = {
    name,
    cadence: { everySeconds },
    budget: 1,
    run: async () => {
      runs++;
      return { runs };
    },
  };
  return { job, runs: () => runs };
};

const runner = ({ ctx }: TestContext, job: Job) => createRunner(ctx, [job]);

test("RE-56 of two instances one runs a slot, over a hundred slots", async () => {
  const { job, runs } = counted("shared", 60);
  const runners = [runner(one, job), runner(two, job)];
  for (let slot = 0; slot < 100; slot++) {
    one.clock.advance(60);
    await Promise.all(runners.map((each) => each.look()));
    await Promise.all(runners.map((each) => each.idle()));
    expect(runs()).toBe(slot + 1);
  }
});

test("RE-44 a clock that jumps back and forth runs no slot twice", async () => {
  const { job, runs } = counted("jumping", 60);
  const each = runner(one, job);
  const slots = new Set<number>();
  for (const jump of [60, 60, -120, 60, 3_600, -3_600, 60]) {
    one.clock.advance(jump);
    slots.add(Math.floor(one.clock.now().getTime() / 60_000));
    await each.look();
    await each.idle();
  }
  expect(slots.size).toBe(4);
  expect(runs()).toBe(slots.size);
});

test("the slot of a dead process is taken over when its lease ran out, and not before", async () => {
  const { job, runs } = counted("orphan", 3_600);
  one.clock.set(new Date("2026-03-02T10:00:00Z"));
  const lost = { job: job.name, slot: one.clock.now() };
  await claimSlots(first.query, [lost], one.clock.now());
  const each = runner(two, job);
  for (const _ of [1, 2]) await each.look();
  expect(runs()).toBe(0);
  await first.query.update(jobRuns).set({ leaseUntil: new Date(0) });
  await each.look();
  await each.idle();
  expect(runs()).toBe(1);
});
