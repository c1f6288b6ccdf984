import { expect, test } from "vitest";
import { createOutageLog } from "./outages";

const reuse = 30_000;
const start = new Date("2026-03-01T12:00:00.000Z").getTime();

function world() {
  let time = 0;
  const outages = createOutageLog(() => time);
  return {
    outages,
    at: (milliseconds: number) => {
      time = milliseconds;
    },
    /** True if an answer of this time is more than 30 seconds old, outages not counted. */
    isSettled: (milliseconds: number) =>
      new Date(start + milliseconds) < outages.settledBefore(new Date(start + time), reuse),
  };
}

test("without an outage the window is what it is, to the millisecond", () => {
  const { at, isSettled } = world();
  at(40_000);
  expect([isSettled(9_999), isSettled(10_000)]).toEqual([true, false]);
});

test("what was done in an outage can be asked for again until the window after its end, and no longer", () => {
  const { outages, at, isSettled } = world();
  at(10_000);
  outages.heard();
  at(55_000);
  outages.missed(10_500);
  expect([outages.lasting(), isSettled(11_000)]).toEqual([true, false]);
  at(56_000);
  outages.heard();
  at(86_000);
  expect([outages.lasting(), isSettled(10_200), isSettled(8_000)]).toEqual([false, false, true]);
  at(86_001);
  expect(isSettled(10_200)).toBe(true);
});

test("a database that is away for hours does not keep used secrets good for hours", () => {
  const { outages, at, isSettled } = world();
  at(7_200_000);
  outages.missed(0);
  expect(isSettled(6_000_000)).toBe(true);
});
