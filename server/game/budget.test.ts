import { expect, test } from "vitest";
import { callsUsedAt, secondsUntilFree, windowSeconds } from "./budget";
import { type CallWindow, slotSeconds, slotsPerWindow } from "./store";

const slot = new Date("2026-03-01T12:00:00Z");
const after = (seconds: number) => new Date(slot.getTime() + seconds * 1_000);
/** A call in every slot that counts. */
const steady: CallWindow = {
  slot,
  used: 1,
  earlier: Array.from({ length: slotsPerWindow - 1 }, () => 1),
};

test("with each slot that passes the oldest calls count no more, although their row is not written again", () => {
  for (let passed = 0; passed <= slotsPerWindow; passed++)
    expect([passed, callsUsedAt(steady, after(passed * slotSeconds))]).toEqual([
      passed,
      slotsPerWindow - passed,
    ]);
});

test("the next call fits when the oldest ones stop counting, and not before", () => {
  for (const limit of [1, 10, slotsPerWindow]) {
    const free = secondsUntilFree(steady, slot, limit);
    expect(callsUsedAt(steady, after(free))).toBeLessThan(limit);
    expect(callsUsedAt(steady, after(free - slotSeconds))).toBeGreaterThanOrEqual(limit);
  }
  expect(secondsUntilFree(steady, slot, 1)).toBe(windowSeconds);
});
