import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startDeadlineTimer } from "./connections";

const pause = 100;
let now = 0;
let looks: number[] = [];
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  [now, looks] = [0, []];
  stop = startDeadlineTimer(
    new Set([{ sweep: (at: number) => void looks.push(at) }]),
    pause,
    () => now,
  );
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

function tick(milliseconds: number): void {
  now += milliseconds;
  vi.advanceTimersByTime(pause);
}

test("deadlines are looked at each time", () => {
  for (let count = 0; count < 3; count++) tick(pause);
  expect(looks).toEqual([100, 200, 300]);
});

test("after a stall of the process itself they are looked at the next time", () => {
  tick(10 * pause);
  tick(pause);
  expect(looks).toEqual([1_100]);
});

test("where the process stalls before every look they are looked at all the same", () => {
  for (let count = 0; count < 12; count++) tick(10 * pause);
  expect(looks).toEqual([4_000, 8_000, 12_000]);
});
