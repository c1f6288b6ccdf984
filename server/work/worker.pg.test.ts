import { setTimeout as wait } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { jobRuns } from "#db/schema/operations";
import { claimSlots, jobWorkTable } from "#server/jobs/store";
import { secondMs } from "#server/platform/time";
import { patientDeadline, testPostgresUrl } from "#server/testing/database";
import { holdLocks } from "#server/testing/held-locks";
import { testContext } from "#server/testing/test-context";
import { type Claim, leaseMs } from "./leases";
import { createWorker } from "./worker";

const url = await testPostgresUrl();
const database = openPostgres({ url, deadline: patientDeadline, pools: { job: 1 } });
afterAll(() => database.close());
const { ctx } = await testContext({ database });

/** A worker that has claimed one row and is at it until `end`. */
async function startWork(job: string) {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let [isClaimed, lost] = [false, 0];
  const worker = createWorker<Claim>(ctx, {
    name: "test",
    table: jobWorkTable,
    claim: async () => {
      if (isClaimed) return { items: [], dueAt: null };
      isClaimed = true;
      const due = [{ job, slot: ctx.now() }];
      const { claimed } = await claimSlots(database.query, due, ctx.now());
      return { items: claimed, dueAt: null };
    },
    perform: () => over,
    lose: () => {
      lost += 1;
    },
    stop: () => {},
  });
  worker.start();
  await worker.look();
  return {
    lost: () => lost,
    stop: async () => {
      end();
      await worker.stop(secondMs);
    },
  };
}

test("work keeps its lease while jobs hold every background connection", {
  timeout: 60_000,
}, async () => {
  const work = await startWork("kept");
  const seconds = leaseMs / secondMs + 2;
  await database.background.query.execute(sql`select pg_sleep(${seconds})`);
  expect(work.lost()).toBe(0);
  await work.stop();
});

test("a process that stood still for as long as a lease lasts gives its work up before it does anything else", {
  timeout: 60_000,
}, async () => {
  const work = await startWork("late");
  // No extension is answered.
  const locked = database.query.select().from(jobRuns).where(eq(jobRuns.job, "late"));
  const release = await holdLocks(database, locked.for("update").getSQL());
  for (const until = performance.now() + leaseMs; performance.now() < until; );
  await wait(1);
  expect(work.lost()).toBe(1);
  await release();
  await work.stop();
});
