import { expect, test } from "vitest";
import { secretState } from "./secret-state";

const hour = 3_600_000;
const at = (hours: number) => new Date(Date.UTC(2026, 2, 1) + hours * hour);
const old = (lastUsed: number | null, expires: number | null = null) => ({
  id: "old",
  lastUsedAt: lastUsed === null ? null : at(lastUsed),
  expiresAt: expires === null ? null : at(expires),
});
const other = (lastUsed: number | null, expires: number | null = null) => ({
  ...old(lastUsed, expires),
  id: "other",
});

test.each([
  ["alone", "only", old(1), []],
  ["beside one that has expired", "only", old(1), [other(2, 9)]],
  ["past its own end", "expired", old(1, 10), [other(2)]],
  ["never used, beside one in use", "unused", old(null), [other(9)]],
  ["used, beside one never used", "in-use", old(1), [other(null)]],
  ["used after the other one", "in-use", old(9), [other(8)]],
  ["used within the same minute", "in-use", old(9), [other(9 + 1 / 60)]],
  [
    "used before the other one, less than an access token's life ago",
    "resting",
    old(9.5),
    [other(9.9)],
  ],
  ["used before the other one, longer ago", "replaced", old(8.9), [other(9.5)]],
] as const)("a secret %s is %s", (_what, state, secret, others) => {
  expect(secretState(secret, [secret, ...others], { now: at(10), refreshMilliseconds: hour })).toBe(
    state,
  );
});
