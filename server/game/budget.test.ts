import { expect, test } from "vitest";
import { processLimiter } from "#server/platform/limiter/process-limiter";
import { movableClock } from "#server/testing/movable-clock";
import { callsLeft, type Priority, spendCall } from "./budget";

const start = new Date("2026-03-01T12:00:10Z");

async function spendAll(priority: Priority, limiter = processLimiter(() => start)): Promise<number> {
  for (let calls = 0; ; calls++) {
    try {
      await spendCall(limiter, 1001, priority);
    } catch {
      return calls;
    }
  }
}

test.each<{ priority: Priority; calls: number }>([
  { priority: "user", calls: 60 },
  { priority: "high", calls: 42 },
  { priority: "background", calls: 30 },
])("$priority calls may fill $calls of a player's 60 a minute", async ({ priority, calls }) => {
  expect(await spendAll(priority)).toBe(calls);
});

test("what background and high calls left is there for those who wait, and no more", async () => {
  const limiter = processLimiter(() => start);
  expect(await spendAll("background", limiter)).toBe(30);
  expect(await spendAll("high", limiter)).toBe(12);
  expect(await callsLeft(limiter, 1001, "high")).toBe(0);
  expect(await spendAll("user", limiter)).toBe(18);
  expect(await callsLeft(limiter, 1001, "user")).toBe(0);
});

test("players do not share a budget", async () => {
  const limiter = processLimiter(() => start);
  await spendAll("user", limiter);
  expect(await callsLeft(limiter, 1002, "user")).toBe(60);
});

test("a spent budget says when it is full again, and then is", async () => {
  const clock = movableClock(start);
  const limiter = processLimiter(clock.now);
  await spendAll("user", limiter);
  await expect(spendCall(limiter, 1001, "user")).rejects.toMatchObject({ kind: "owner-budget", retryAfter: 50 });
  clock.advance(50);
  await spendCall(limiter, 1001, "user");
});
