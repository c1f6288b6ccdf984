import { asc, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import type { Database } from "#db/client";
import { migrate } from "#db/migrate";
import { requestLog } from "#db/schema/operations";
import { insertRequestLines } from "#server/rest/store";
import { emptyDatabase } from "#server/testing/database";
import { recordedLog } from "#server/testing/recorded-log";
import { ensureLogPartitions } from "./log-partitions";

const dayMs = 86_400_000;
const now = new Date();
const line = (at: Date) => ({
  ...{ at, requestId: "r", method: "GET", route: "/user", status: 200, micros: 5 },
  ...{ failureCode: null, accountId: null, clientId: null, address: null, failure: null },
});
const placesOf = async ({ query }: Database) =>
  (
    await query
      .select({ place: sql<string>`tableoid::regclass::text` })
      .from(requestLog)
      .orderBy(asc(requestLog.at))
  ).map(({ place }) => place);

async function migrated() {
  const database = await emptyDatabase();
  await migrate(database);
  return { database, log: recordedLog(), now: () => now };
}

test("a new installation writes its first line where all later ones go: no index of an older log costs it anything", async () => {
  const parts = await migrated();
  expect(await ensureLogPartitions(parts)).toBeGreaterThan(8);
  await insertRequestLines(parts.database, [line(now), line(new Date(now.getTime() + 5 * dayMs))]);
  expect(await placesOf(parts.database)).toEqual([
    expect.stringMatching(/^request_log_\d{8}$/),
    expect.stringMatching(/^request_log_\d{8}$/),
  ]);
  expect(await ensureLogPartitions(parts)).toBe(0);
  expect(parts.log.lines).toEqual([]);
});

test("lines of before there were partitions stay where they are, and so do those of the same days", async () => {
  const parts = await migrated();
  await insertRequestLines(parts.database, [line(new Date(now.getTime() - dayMs))]);
  await ensureLogPartitions(parts);
  await insertRequestLines(parts.database, [line(now)]);
  expect(await placesOf(parts.database)).toEqual(["request_log_before", "request_log_before"]);
});
