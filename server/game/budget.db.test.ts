import { beforeEach, expect, test } from "vitest";
import { gameBudgets } from "#db/schema/operations";
import { sweepBatch } from "#db/sweep";
import { testDatabase } from "#server/testing/database";
import { movableClock } from "#server/testing/movable-clock";
import {
  chargeCall,
  exhaustBudget,
  type Priority,
  readBudgetUse,
  readCallsLeft,
  readCallsLeftByPlayer,
} from "./budget";
import { isGameCallError } from "./game-call-error";
import { gameSweeps } from "./store";

const database = await testDatabase();
const clock = movableClock(new Date("2026-03-01T12:00:10.000Z"));
const place = { database, now: clock.now };
const player = 1001;

beforeEach(async () => {
  await database.query.delete(gameBudgets);
  clock.set(new Date("2026-03-01T12:00:10.000Z"));
});

/** Spends until the budget refuses. @returns how many calls it let through */
async function spendAll(priority: Priority): Promise<number> {
  for (let spent = 0; spent < 100; spent++) {
    const refused = await chargeCall(place, player, priority).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (!refused) continue;
    if (!isGameCallError(refused)) throw refused;
    return spent;
  }
  throw new Error("The budget has no end.");
}

test("a player's keys together make sixty calls a minute, where somebody waits for them", async () => {
  expect(await readCallsLeft(place, player, "user")).toBe(60);
  expect(await spendAll("user")).toBe(60);
  expect(await readCallsLeft(place, player, "user")).toBe(0);
});

test("background work takes half, rights-bearing work seven tenths: the rest is left to those who wait", async () => {
  expect(await spendAll("background")).toBe(30);
  expect([
    await readCallsLeft(place, player, "background"),
    await readCallsLeft(place, player, "high"),
  ]).toEqual([0, 12]);
  expect(await spendAll("high")).toBe(12);
  expect(await readCallsLeft(place, player, "background")).toBe(0);
  expect(await spendAll("user")).toBe(18);
});

test("a spent budget says when the next call is left, and then it is", async () => {
  for (let call = 0; call < 30; call++) await chargeCall(place, player, "user");
  clock.advance(20);
  await spendAll("user");
  await expect(chargeCall(place, player, "user")).rejects.toMatchObject({
    kind: "owner-budget",
    retryAfter: 44,
  });
  clock.advance(43);
  await expect(chargeCall(place, player, "user")).rejects.toMatchObject({ retryAfter: 1 });
  clock.advance(1);
  expect(await spendAll("user")).toBe(30);
});

test("in no 60 seconds more than sixty calls are let through, whenever they are asked for", async () => {
  const made: number[] = [];
  // Two seconds before a full minute and right after it, in bursts and drop by drop.
  for (const [pause, calls] of [
    [48, 62],
    [2, 20],
    [0.1, 5],
    [30, 5],
    [29.9, 62],
    [0.1, 5],
    [40, 5],
    [24, 62],
  ] as const) {
    clock.advance(pause);
    for (let call = 0; call < calls; call++) {
      clock.advance(0.01);
      const passed = await chargeCall(place, player, "user").then(
        () => true,
        () => false,
      );
      if (passed) made.push(clock.now().getTime());
    }
  }
  const most = Math.max(
    ...made.map((end) => made.filter((at) => at > end - 60_000 && at <= end).length),
  );
  expect(most).toBe(60);
  expect(made.length).toBeGreaterThanOrEqual(120);
}, 30_000);

test("each player has a budget of their own, and those of many are read together", async () => {
  await spendAll("user");
  await chargeCall(place, 1002, "user");
  expect([...(await readCallsLeftByPlayer(place, [1001, 1002, 1003], "user"))]).toEqual([
    [1001, 0],
    [1002, 59],
    [1003, 60],
  ]);
  expect(await readCallsLeftByPlayer(place, [], "user")).toEqual(new Map());
});

test("after the game's code 5 nobody asks for that player for a minute", async () => {
  await chargeCall(place, player, "user");
  await exhaustBudget(place, player);
  await expect(chargeCall(place, player, "user")).rejects.toMatchObject({ kind: "owner-budget" });
  clock.advance(60);
  await expect(chargeCall(place, player, "user")).rejects.toMatchObject({ kind: "owner-budget" });
  clock.advance(4);
  await chargeCall(place, player, "user");
});

test("instances whose clocks are a moment apart around the full minute count together", async () => {
  clock.set(new Date("2026-03-01T12:01:00.100Z"));
  await spendAll("user");
  const behind = { database, now: () => new Date("2026-03-01T12:00:59.900Z") };
  await expect(chargeCall(behind, player, "user")).rejects.toMatchObject({ kind: "owner-budget" });
});

test("a clock that jumped into the future and back does not close a player's budget for ever", async () => {
  clock.advance(3_600);
  await spendAll("user");
  clock.advance(-3_600);
  await chargeCall(place, player, "user");
});

test("health sees how many players were asked for and how many have nothing left", async () => {
  await spendAll("user");
  await chargeCall(place, 1002, "background");
  expect(await readBudgetUse(place)).toEqual({ players: 2, calls: 61, spent: 1 });
  clock.advance(64);
  expect(await readBudgetUse(place)).toEqual({ players: 0, calls: 0, spent: 0 });
});

test("budgets of past minutes do not pile up", async () => {
  await chargeCall(place, player, "user");
  clock.advance(3_000);
  await chargeCall(place, 1002, "user");
  clock.advance(900);
  const [sweep] = gameSweeps;
  if (sweep) await sweepBatch(database.query, sweep, clock.now());
  expect(await database.query.select({ id: gameBudgets.playerId }).from(gameBudgets)).toEqual([
    { id: 1002 },
  ]);
});
