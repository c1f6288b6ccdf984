import { expect, test } from "vitest";
import { type Pace, slowedDown, speededUp, withMinimumPace } from "./retry";

const free: Pace = { paceMs: null, paced: 0, pacedUntil: null };
const start = new Date("2026-03-01T12:00:00Z");

/**
 * Accepted requests within `seconds`, by a receiver that allows one per `everyMs` and asks for
 * `askedMs` otherwise.
 */
function takenBy(everyMs: number, askedMs: number, seconds: number): number {
  let [pace, now, last, taken] = [free, start.getTime(), Number.NEGATIVE_INFINITY, 0];
  const answerMs = 5;
  while (now < start.getTime() + seconds * 1_000) {
    const begun = new Date(now);
    if (now - last >= everyMs) {
      [last, taken] = [now, taken + 1];
      pace = speededUp(pace, begun);
    } else pace = slowedDown(pace, askedMs, begun);
    now = Math.max(now + answerMs, pace.pacedUntil?.getTime() ?? 0);
  }
  return taken;
}

test("a receiver that allows one a second and asks for two gets nearly that", () => {
  expect(takenBy(1_000, 2_000, 300)).toBeGreaterThan(200);
});

test("a receiver with another limit gets about half of it at least", () => {
  expect(takenBy(100, 1_000, 300)).toBeGreaterThan(1_400);
  expect(takenBy(10_000, 10_000, 3_000)).toBeGreaterThan(150);
});

test("once the receiver takes everything again, the pause shortens to nothing", () => {
  let pace = slowedDown(slowedDown(free, 2_000, start), 2_000, start);
  expect(pace.pacedUntil?.getTime()).toBe(start.getTime() + 2_000);
  for (let n = 0; n < 120 && pace.paceMs !== null; n++) pace = speededUp(pace, start);
  expect(pace).toEqual(free);
});

test("a busy endpoint without a time gets one at a time until it accepts one", () => {
  const busy = withMinimumPace(free);
  expect(busy.paceMs).not.toBeNull();
  expect(speededUp(busy, start)).toEqual(free);
});
