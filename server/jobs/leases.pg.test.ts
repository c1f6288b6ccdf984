import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { jobRuns } from "#db/schema/operations";
import { secondMs } from "#server/platform/time";
import type { TestContext } from "#server/testing/test-context";
import { twoInstances } from "#server/testing/two-instances";
import { leaseMs } from "#server/work/leases";
import type { Job } from "./job";
import { createRunner } from "./runner";
import { claimSlots, runId } from "./store";

const { here: one, there: two } = await twoInstances();
const { clock } = one;
const { query } = one.ctx.database;

const runner = ({ ctx }: TestContext, job: Job) => createRunner(ctx, [job]);

/** Runs until the test or its signal ends it. */
function endless(name: string, everySeconds: number) {
  const signals: AbortSignal[] = [];
  const job: Job = {
    name,
    cadence: { everySeconds },
    budget: 1,
    run: async (_ctx, { signal }) => {
      signals.push(signal);
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return { ended: 1 };
    },
  };
  return { job, signals };
}

test("a job of three seconds whose process died is taken over when its lease ends", async () => {
  let runs = 0;
  const job: Job = {
    name: "quick",
    cadence: { everySeconds: 3 },
    budget: 1,
    run: async () => ({ runs: ++runs }),
  };
  clock.set(new Date("2026-03-02T11:00:00Z"));
  const lost = { job: job.name, slot: clock.now() };
  expect((await claimSlots(query, [lost], clock.now())).claimed).toHaveLength(1);
  clock.advance(3);
  await runner(two, job).look();
  expect(runs).toBe(0);
  await query.update(jobRuns).set({ leaseUntil: new Date(0) });
  const next = runner(two, job);
  await next.look();
  await next.idle();
  expect(runs).toBe(1);
});

test("a run whose slot another process took over is told to end, and does not close the other's row", {
  timeout: 20_000,
}, async () => {
  clock.set(new Date("2026-03-02T12:00:00Z"));
  const slow = endless("slow", 3);
  const here = runner(one, slow.job);
  await here.look();
  const id = runId("slow", clock.now());
  await query.update(jobRuns).set({ lease: 2 }).where(eq(jobRuns.id, id));
  // Noticed at the next extension, a second later.
  await here.idle();
  expect(slow.signals[0]?.aborted).toBe(true);
  const [row] = await query.select().from(jobRuns).where(eq(jobRuns.id, id));
  expect(row).toMatchObject({ lease: 2, finishedAt: null });
});

test("a frozen process ends its run once another process runs a later slot, and leaves the row closed", {
  timeout: 20_000,
}, async () => {
  clock.set(new Date("2026-03-02T13:00:00Z"));
  const frozen = endless("frozen", 3);
  const here = runner(one, frozen.job);
  await here.look();
  const id = runId("frozen", clock.now());
  await query
    .update(jobRuns)
    .set({ leaseUntil: new Date(0) })
    .where(eq(jobRuns.id, id));
  clock.advance(3);
  const later = runner(two, { ...frozen.job, run: async () => ({ runs: 1 }) });
  await later.look();
  await later.idle();
  await here.idle();
  expect(frozen.signals[0]?.aborted).toBe(true);
  const [row] = await query.select().from(jobRuns).where(eq(jobRuns.id, id));
  expect(row).toMatchObject({ outcome: "failed", error: "The process that ran it ended." });
});

test("a run is told to end before its lease does when the database leaves its extension unanswered", {
  timeout: 30_000,
}, async () => {
  clock.set(new Date("2026-03-02T14:00:00Z"));
  const held = endless("unanswered", 3);
  const here = runner(one, held.job);
  await here.look();
  const id = runId("unanswered", clock.now());
  await two.ctx.database.transaction(async (tx) => {
    const lockedAt = performance.now();
    await tx.select().from(jobRuns).where(eq(jobRuns.id, id)).for("update");
    await vi.waitUntil(() => held.signals[0]?.aborted, { timeout: 15_000 });
    expect(performance.now() - lockedAt).toBeLessThan(leaseMs + secondMs);
  });
  await here.idle();
});
