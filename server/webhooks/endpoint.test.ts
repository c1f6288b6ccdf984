import { expect, test } from "vitest";
import { hourMs, minuteMs } from "#server/platform/time";
import {
  type FailureStreak,
  findDueNotice,
  type HealthNotice,
  healthOf,
  noFailures,
} from "./endpoint";
import { attemptDelays } from "./retry";

const start = new Date("2026-03-01T12:00:00Z");
const at = (hours: number) => new Date(start.getTime() + hours * hourMs);
/** `lastAfter` in hours. */
const streak = (failures: number, lastAfter: number): FailureStreak => ({
  ...{ failures, firstFailureAt: start, lastFailureAt: at(lastAfter) },
});

test.each([
  ["no failure", noFailures, 0, "working"],
  ["one failure", streak(1, 0), 0, "failing"],
  ["four in a row", streak(4, 0.1), 0.1, "failing"],
  ["five in a row", streak(5, 0.1), 0.1, "resting"],
  ["four in a row, for weeks", streak(4, 500), 500, "failing"],
  ["a thousand in 71 hours", streak(1_000, 71), 71.99, "resting"],
  ["nine in 80 hours", streak(9, 80), 80, "resting"],
  ["ten in 72 hours", streak(10, 72), 72, "exhausted"],
  ["ten within an hour, and then an outage of ours for three days", streak(10, 1), 75, "resting"],
  ["ten in less than twelve hours, three days ago", streak(10, 11.99), 75, "resting"],
  ["ten in twelve hours, three days ago", streak(10, 12), 72, "exhausted"],
] as const)("%s: %j after %d hours is %s", (_what, failures, hours, health) => {
  expect(healthOf(failures, at(hours))).toBe(health);
});

test.each<[string, FailureStreak, number, HealthNotice | null, HealthNotice | undefined]>([
  ["nothing fails", noFailures, 100, null, undefined],
  ["59 minutes", streak(9, 0.5), 59 / 60, null, undefined],
  ["an hour", streak(4, 0.6), 1, null, "failing-1h"],
  ["an hour, and it was said", streak(4, 0.6), 23, "failing-1h", undefined],
  ["one lost message, for hours", streak(2, 0.1), 50, null, undefined],
  ["a day", streak(8, 20), 24, "failing-1h", "failing-24h"],
  ["a day, after which we were away", streak(4, 0.6), 61, null, "failing-60h"],
  ["60 hours", streak(9, 52), 60, "failing-24h", "failing-60h"],
  ["60 hours, and it was said", streak(9, 52), 71, "failing-60h", undefined],
  ["the end", streak(10, 72), 72, "failing-60h", "switched-off"],
  ["the end, which was said", streak(10, 72), 80, "switched-off", undefined],
  ["72 hours with too few attempts", streak(9, 70), 80, "failing-60h", undefined],
])(
  "notices, %s: %j after %d hours, when %s was sent, is %s",
  (_what, failures, hours, sent, notice) => {
    expect(findDueNotice({ ...failures, notice: sent }, at(hours))).toBe(notice);
  },
);

test("an endpoint that dies is told of four times before it is off, whichever messages it gets", () => {
  let endpoint = streak(0, 0);
  let sent: HealthNotice | null = null;
  const told: [HealthNotice, number][] = [];
  let attemptAt = start.getTime();
  const attempts = [...attemptDelays, 10 * hourMs].map((delay) => {
    attemptAt += delay;
    return attemptAt;
  });
  // The job runs every ten minutes, while the oldest message follows its schedule.
  for (let now = start.getTime(); sent !== "switched-off"; now += 10 * minuteMs) {
    for (; attempts[0] !== undefined && attempts[0] <= now; attempts.shift())
      endpoint = {
        ...{ failures: endpoint.failures + 1, firstFailureAt: start },
        lastFailureAt: new Date(attempts[0]),
      };
    const notice = findDueNotice({ ...endpoint, notice: sent }, new Date(now));
    if (notice) told.push([notice, (now - start.getTime()) / hourMs]);
    sent = notice ?? sent;
  }
  expect(told.map(([notice]) => notice)).toEqual([
    "failing-1h",
    "failing-24h",
    "failing-60h",
    "switched-off",
  ]);
  expect(told.slice(0, 3).map(([, hours]) => hours)).toEqual([1, 24, 60]);
  expect(told[3]?.[1]).toBeGreaterThanOrEqual(72);
  expect(told[3]?.[1]).toBeLessThan(80);
});
