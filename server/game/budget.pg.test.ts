import { afterAll, expect, test } from "vitest";
import { openPostgres } from "#db/client";
import { testPostgresUrl } from "#server/testing/database";
import { chargeCall, type Priority } from "./budget";

const url = await testPostgresUrl();
const databases = [openPostgres({ url }), openPostgres({ url })];
afterAll(() => Promise.all(databases.map((database) => database.close())));
const now = () => new Date("2026-03-01T12:00:10.000Z");

/** Two processes spend `calls` each, all at the same time. @returns how many were let through together */
async function spendTogether(playerId: number, calls: number, priority: Priority): Promise<number> {
  const spending = databases.flatMap((database) =>
    Array.from({ length: calls }, () => chargeCall({ database, now }, playerId, priority)),
  );
  const outcomes = await Promise.allSettled(spending);
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

test("RE-56 two instances that spend at the same moment never exceed a player's budget together", async () => {
  expect(await spendTogether(1, 100, "user")).toBe(60);
});

test("RE-56 nor do they eat into what is left to those who wait", async () => {
  expect(await spendTogether(2, 100, "background")).toBe(30);
  expect(await spendTogether(2, 100, "high")).toBe(12);
  expect(await spendTogether(2, 100, "user")).toBe(18);
});
