import { describe, expect, test } from "vitest";
import { dayMs, hourMs, minuteMs, secondMs } from "#server/platform/time";
import type { Attempt, AttemptFailure } from "./attempt";
import { exhaustionThresholds } from "./endpoint";
import { attemptDelays, judgeAttempt, mostAttempts, nextAttemptAt } from "./retry";

const now = new Date("2026-03-01T12:00:00Z");
const lowest = () => 0;
const wait = (
  attempts: number,
  { retryAfter = null as string | null, age = 0, random = lowest } = {},
) => {
  const message = { attempts, firstAttemptAt: new Date(now.getTime() - age), retryAfter };
  const next = nextAttemptAt(message, now, random);
  return next && next.getTime() - now.getTime();
};

describe("when a message is tried again", () => {
  test("there are ten attempts, over 75 hours and 35 minutes at least: longer than an endpoint may fail", () => {
    expect(mostAttempts).toBe(10);
    const sum = attemptDelays.reduce((total, delay) => total + delay, 0);
    expect(sum).toBe(75 * hourMs + 35 * minuteMs + 5 * secondMs);
    expect(sum).toBeGreaterThan(exhaustionThresholds.sinceFirst);
  });

  test.each([
    [0, 0],
    [1, 5 * secondMs],
    [2, 5 * minuteMs],
    [3, 30 * minuteMs],
    [4, 2 * hourMs],
    [5, 5 * hourMs],
    [6, 10 * hourMs],
    [7, 14 * hourMs],
    [8, 20 * hourMs],
    [9, 24 * hourMs],
    [10, undefined],
    [11, undefined],
  ])("after %i attempts the next one comes in %s ms", (attempts, milliseconds) => {
    expect(wait(attempts)).toBe(milliseconds);
  });

  test("each wait is drawn between once and 1.2 times its length", () => {
    expect(wait(4, { random: () => 0 })).toBe(2 * hourMs);
    expect(wait(4, { random: () => 1 })).toBe(2.4 * hourMs);
  });

  test.each([
    ["a shorter Retry-After changes nothing", "1", 5 * minuteMs],
    ["0 changes nothing", "0", 5 * minuteMs],
    ["a longer one counts", "900", 15 * minuteMs],
    ["spaces around it are not read", " 900 ", 15 * minuteMs],
    ["a date counts", "Sun, 01 Mar 2026 13:00:00 GMT", hourMs],
    ["a date in the form of RFC 850 counts", "Sunday, 01-Mar-26 13:00:00 GMT", hourMs],
    ["a date in the form of asctime is UTC", "Sun Mar  1 13:00:00 2026", hourMs],
    ["a date that is over changes nothing", "Sat, 28 Feb 2026 13:00:00 GMT", 5 * minuteMs],
    ["a day is the longest", "86401", dayMs],
    ["a date in years is a day", "Mon, 01 Mar 2100 13:00:00 GMT", dayMs],
    ["a number without end is a day", "9".repeat(400), dayMs],
    ["a negative one is not read", "-900", 5 * minuteMs],
    ["a fraction is not read", "900.5", 5 * minuteMs],
    ["a date that is none is not read", "Sun, 99 Mar 2026 13:00:00 GMT", 5 * minuteMs],
    ["another spelling of a date is not read", "2026-03-01T13:00:00Z", 5 * minuteMs],
    ["words are not read", "soon", 5 * minuteMs],
    ["an empty one is not read", "", 5 * minuteMs],
  ])("%s: %j", (_what, retryAfter, milliseconds) => {
    expect(wait(2, { retryAfter })).toBe(milliseconds);
  });

  test("Retry-After does not lead past the end of the schedule, and does not shorten the schedule's own wait there", () => {
    const end = Math.round(1.2 * (75 * hourMs + 35 * minuteMs + 5 * secondMs));
    expect(wait(2, { retryAfter: "86400", age: end - 7 * hourMs })).toBe(7 * hourMs);
    expect(wait(2, { retryAfter: "86400", age: end - secondMs })).toBe(5 * minuteMs);
    expect(wait(2, { retryAfter: "86400", age: end + 30 * dayMs })).toBe(5 * minuteMs);
  });

  test("a receiver that always asks for a day is tried ten times, as others are, and within the week that events are kept", () => {
    let at = now.getTime();
    let attempts = 1;
    for (;;) {
      const message = { attempts, firstAttemptAt: now, retryAfter: "86400" };
      const next = nextAttemptAt(message, new Date(at), lowest);
      if (!next) break;
      at = next.getTime();
      attempts++;
    }
    expect(attempts).toBe(10);
    expect(at - now.getTime()).toBeLessThan(7 * dayMs);
  });

  test("no Retry-After makes the last attempt one that is followed by another", () => {
    expect(wait(10, { retryAfter: "60" })).toBeUndefined();
  });
});

describe("what an answer means", () => {
  const phases = { dns: 1, connect: 1, tls: 1, firstByte: 1, total: 4 };
  const answer = (status: number, delivery: string | null = null): Attempt => ({
    ...{ status, delivery, retryAfter: null, excerpt: "", phases },
  });
  const plain = { disable: undefined, slowDown: undefined };
  const delivered = { ...plain, message: "delivered" };
  const failed = { ...plain, message: "failed" };

  test.each([200, 201, 202, 204, 206, 299])("%i is delivered", (status) => {
    expect(judgeAttempt(answer(status), now)).toEqual(delivered);
  });

  test.each([
    101, 199, 300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 408, 413, 500, 501, 503, 505, 599,
    999,
  ])("%i is a failure", (status) => {
    expect(judgeAttempt(answer(status), now)).toEqual(failed);
  });

  test.each([429, 502, 504])("%i is a failure, and the sender slows down", (status) => {
    expect(judgeAttempt(answer(status), now)).toEqual({ ...failed, slowDown: "busy" });
  });

  test.each([
    [429, "2", 2_000],
    [503, "0", 0],
    [429, "Sun, 01 Mar 2026 12:01:00 GMT", 60_000],
    [503, "604800", 86_400_000],
  ])(
    "%i with Retry-After: %s paces the endpoint, and is no failure",
    (status, retryAfter, slowDown) => {
      const paced = { message: "paced", disable: undefined, slowDown };
      expect(judgeAttempt({ ...answer(status), retryAfter }, now)).toEqual(paced);
    },
  );

  test.each([
    [429, "soon", "busy"],
    [503, "", undefined],
    [500, "2", undefined],
    [502, "2", "busy"],
  ])("%i with Retry-After: %s is a failure", (status, retryAfter, slowDown) => {
    expect(judgeAttempt({ ...answer(status), retryAfter }, now)).toEqual({ ...failed, slowDown });
  });

  test("410 switches the endpoint off; the message was not delivered", () => {
    expect(judgeAttempt(answer(410), now)).toEqual({ ...failed, disable: "gone" });
  });

  test.each([
    [200, "disable", { ...delivered, disable: "asked" }],
    [500, "disable", { ...failed, disable: "asked" }],
    [500, " Disable ", { ...failed, disable: "asked" }],
    [429, "disable", { ...failed, disable: "asked", slowDown: "busy" }],
    [400, "abort-message", { ...failed, message: "given-up" }],
    [429, "abort-message", { ...failed, message: "given-up", slowDown: "busy" }],
    [200, "abort-message", delivered],
    [410, "abort-message", { ...failed, message: "given-up", disable: "gone" }],
    [500, "disable, disable", failed],
    [500, "disabled", failed],
    [500, "", failed],
    [200, "retry", delivered],
  ])("%i with webhook-delivery: %s is %j", (status, delivery, verdict) => {
    expect(judgeAttempt(answer(status, delivery), now)).toEqual(verdict);
  });

  const failures: readonly AttemptFailure[] = [
    ...(["refused-url", "dns", "refused-address", "connect", "tls"] as const),
    ...(["timeout", "connection-lost", "too-large", "invalid-answer"] as const),
  ];
  test.each(failures)("no answer (%s) is a failure", (failure) => {
    expect(judgeAttempt({ failure, code: null, phases }, now)).toEqual(failed);
  });

  test("an attempt that we ended ourselves says nothing of the endpoint", () => {
    const stopped = { ...plain, message: "stopped" };
    expect(judgeAttempt({ failure: "aborted", code: null, phases }, now)).toEqual(stopped);
  });
});
