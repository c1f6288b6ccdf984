import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobRuns } from "#db/schema/operations";
import { claimSlots, jobWorkTable } from "#server/jobs/store";
import { testDatabase } from "#server/testing/database";
import { holdLocks, waitingFor } from "#server/testing/held-locks";
import { extendClaims } from "./leases";

const database = await testDatabase();
const on = database.query;

test("an extension that waits for a row holds no later one, so that it cannot deadlock with a save", async () => {
  const slot = new Date("2026-03-02T11:00:00Z");
  const due = ["third", "second", "first"].map((job) => ({ job, slot }));
  const { claimed } = await claimSlots(on, due, slot);
  const [first, ...later] = claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  if (!first) throw new Error("Nothing was claimed.");
  const locked = on.select().from(jobRuns).where(eq(jobRuns.id, first.id)).for("update");
  const release = await holdLocks(database, locked.getSQL());
  const extending = extendClaims(on, jobWorkTable, [...later, first]);
  await expect
    .poll(() => waitingFor(database, sql`locktype in ('transactionid', 'tuple')`))
    .toBe(1);
  const free = await on.select().from(jobRuns).for("update", { skipLocked: true });
  expect(free).toHaveLength(later.length);
  await release();
  expect(await extending).toEqual(new Set(claimed.map(({ id }) => id)));
});
