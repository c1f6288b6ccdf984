import { expect, test } from "vitest";
import { movableClock } from "#server/testing/movable-clock";
import { createBreaker } from "./breaker";
import type { GameCallErrorKind } from "./game-call-error";

function opened() {
  const clock = movableClock(new Date("2026-03-01T12:00:10.000Z"));
  const changes: object[] = [];
  const breaker = createBreaker({ now: clock.now, onChange: (change) => changes.push(change) });
  const fail = (kind: GameCallErrorKind = "timeout", retryAfter?: number) =>
    breaker.pass().failed(kind, retryAfter);
  const passes = () => breaker.refusal() === undefined;
  return { clock, changes, breaker, fail, passes };
}

test("RE-52 after five outages in a row no call touches the network, and every caller learns when to come again", () => {
  const { breaker, fail, passes, changes } = opened();
  for (const _ of [1, 2, 3, 4]) fail();
  expect(passes()).toBe(true);
  fail("network");
  expect(breaker.refusal()).toMatchObject({ kind: "server-side", retryAfter: 5 });
  expect(() => breaker.pass()).toThrow();
  expect(changes).toEqual([{ open: true, kind: "network", seconds: 5 }]);
});

test("a success between two failures starts the count again, and so does a minute", () => {
  const { clock, breaker, fail, passes } = opened();
  for (const _ of [1, 2, 3, 4]) fail();
  breaker.pass().succeeded();
  for (const _ of [1, 2, 3, 4]) fail();
  expect(passes()).toBe(true);
  clock.advance(61);
  for (const _ of [1, 2, 3, 4]) fail();
  expect(passes()).toBe(true);
});

test("after the pause one call at a time looks whether the game is back", () => {
  const { clock, breaker, fail, passes, changes } = opened();
  for (const _ of [1, 2, 3, 4, 5]) fail();
  clock.advance(5);
  expect(breaker.state().breaker).toBe("half-open");
  const probe = breaker.pass();
  expect(breaker.refusal()).toMatchObject({ kind: "server-side", retryAfter: 1 });
  probe.succeeded();
  expect([passes(), breaker.state().breaker]).toEqual([true, "closed"]);
  expect(changes.at(-1)).toEqual({ open: false });
});

test("the pause doubles with each look that finds nothing, up to a minute, and is short again after a success", () => {
  const { clock, breaker, fail } = opened();
  for (const _ of [1, 2, 3, 4, 5]) fail();
  const pauses: (number | undefined)[] = [];
  for (const _ of [1, 2, 3, 4, 5, 6]) {
    pauses.push(breaker.refusal()?.retryAfter);
    clock.advance(pauses.at(-1) ?? 0);
    fail();
  }
  expect(pauses).toEqual([5, 10, 20, 40, 60, 60]);
  clock.advance(60);
  breaker.pass().succeeded();
  for (const _ of [1, 2, 3, 4, 5]) fail();
  expect(breaker.refusal()?.retryAfter).toBe(5);
});

test("a look that gets something unclear neither ends the pause nor blocks the next look", () => {
  const { clock, breaker, fail, passes } = opened();
  for (const _ of [1, 2, 3, 4, 5]) fail();
  clock.advance(5);
  breaker.pass().unclear("unexpected-answer");
  expect([passes(), breaker.state().breaker]).toEqual([true, "half-open"]);
});

test("calls that were under way when it opened neither lengthen the pause nor end it", () => {
  const { breaker, fail } = opened();
  const late = [breaker.pass(), breaker.pass(), breaker.pass()] as const;
  for (const _ of [1, 2, 3, 4, 5]) fail();
  late[0].failed("timeout");
  late[1].succeeded();
  late[2].failed("timeout");
  expect(breaker.refusal()?.retryAfter).toBe(5);
});

test.each([
  ["for a minute", undefined, 60],
  ["as long as Retry-After says", 7, 7],
  ["ten minutes at most, whatever Retry-After says", 86_400, 600],
  ["a second at least", 0, 1],
])("a refusal of our address stops all calls at once, %s", (_, retryAfter, seconds) => {
  const { clock, breaker, fail, passes } = opened();
  fail("ip-block", retryAfter);
  expect(breaker.refusal()).toMatchObject({ kind: "ip-block", retryAfter: seconds });
  clock.advance(seconds - 1);
  expect(passes()).toBe(false);
  clock.advance(1);
  expect(passes()).toBe(true);
});

test("health sees the breaker, the last success and the last failure", () => {
  const { clock, breaker, fail } = opened();
  expect(breaker.state()).toEqual({
    breaker: "closed",
    until: null,
    lastSuccess: null,
    lastError: null,
  });
  const begun = clock.now();
  breaker.pass().succeeded();
  clock.advance(1);
  fail("ip-block", 9);
  expect(breaker.state()).toEqual({
    breaker: "open",
    until: new Date(begun.getTime() + 10_000),
    lastSuccess: begun,
    lastError: { kind: "ip-block", at: clock.now() },
  });
});
