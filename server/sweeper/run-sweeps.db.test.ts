import { randomUUID } from "node:crypto";
import type { PgTable } from "drizzle-orm/pg-core";
import { expect, test } from "vitest";
import { proofs, sessions } from "#db/schema/accounts";
import { idempotencyRecords, instances, jobRuns } from "#db/schema/operations";
import { testDatabase } from "#server/testing/database";
import { sweepAll } from "#server/testing/sweep-all";
import { testContext } from "#server/testing/test-context";
import { mintUser } from "#server/testing/world";
import { sweepBacklogOf, sweepExpiredJob } from "./run-sweeps";

const database = await testDatabase();
const { ctx, clock } = await testContext({ database });
const on = database.query;
const { accountId } = await mintUser(ctx);
const minute = 60;
const day = 86_400;
const ago = (seconds: number) => new Date(clock.now().getTime() - seconds * 1_000);
const id = () => randomUUID();
const count = async (table: PgTable) => (await on.select().from(table)).length;

const session = (expiresAt: Date) => ({
  idHash: id(),
  accountId,
  createdAt: ago(day),
  authenticatedAt: ago(day),
  expiresAt,
});
const run = (slot: Date) => {
  const job = `job-${slot.getTime() % 3}`;
  return {
    id: id(),
    job,
    slot,
    startedAt: slot,
    finishedAt: slot,
    outcome: "done" as const,
  };
};

/** Per table one row just within retention, and one just beyond. */
const tables: {
  name: string;
  table: PgTable;
  row: (age: number) => object;
  kept: number;
  gone: number;
}[] = [
  { name: "sessions", table: sessions, row: (age) => session(ago(age)), kept: 0, gone: 6 * minute },
  {
    name: "proofs",
    table: proofs,
    row: (age) => ({
      ...{ id: id(), kind: "second-step", accountId, createdAt: ago(day), expiresAt: ago(age) },
    }),
    kept: 0,
    gone: 6 * minute,
  },
  {
    name: "idempotency records",
    table: idempotencyRecords,
    row: (age) => ({
      accountId,
      clientId: "app",
      key: id(),
      requestHash: "h",
      createdAt: ago(age),
    }),
    kept: day - minute,
    gone: day + minute,
  },
  { name: "job runs", table: jobRuns, row: (age) => run(ago(age)), kept: 2 * day, gone: 4 * day },
  {
    name: "rows of killed processes",
    table: instances,
    row: (age) => ({ id: id(), startedAt: ago(age), lastSeen: ago(age), sharedLimits: false }),
    kept: minute,
    gone: 2 * 3_600,
  },
];

test.each(tables)(
  "$name are kept for their time and no longer",
  async ({ table, row, kept, gone }) => {
    // Removes this process's heartbeat from the swept table.
    await ctx.presence.leave();
    await on.delete(table);
    const fresh = [row(kept), row(kept)];
    // Old rows first, as in production.
    await on.insert(table).values([row(gone), row(gone), row(gone + day), ...fresh]);
    await sweepAll(ctx);
    expect(await count(table)).toBe(fresh.length);
  },
);

test("a run removes thousands of rows in batches", async () => {
  for (let part = 0; part < 6; part++)
    await on.insert(sessions).values(Array.from({ length: 500 }, () => session(ago(day))));
  const [first] = await sweepAll(ctx);
  expect(first).toMatchObject({ removed: 3_000, "removed.sessions": 3_000, due: 0 });
  expect(first?.batches).toBeGreaterThan(3);
});

test("a process that drains stops after the batch at hand, and says what is left", async () => {
  await on.delete(sessions);
  await on.insert(sessions).values(Array.from({ length: 40 }, () => session(ago(day))));
  const counts = await sweepExpiredJob.run(ctx, { budget: 0, signal: AbortSignal.abort() });
  expect(counts).toMatchObject({ removed: 0, due: 40, "due.sessions": 40 });
  expect(sweepBacklogOf(counts)).toEqual({ rows: 40, tables: { sessions: 40 } });
  await sweepAll(ctx);
  expect(await count(sessions)).toBe(0);
});

test("a run that finds nothing does one small batch a table", async () => {
  await sweepAll(ctx);
  const counts = await sweepExpiredJob.run(ctx, {
    budget: 0,
    signal: new AbortController().signal,
  });
  expect(counts).toMatchObject({ removed: 0, due: 0 });
  expect(counts.batches).toBeLessThan(30);
  expect(sweepBacklogOf(counts)).toEqual({ rows: 0, tables: {} });
});
