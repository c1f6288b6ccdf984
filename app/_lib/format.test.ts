import { expect, test } from "vitest";
import {
  escapeInvisible,
  formatCappedCount,
  formatCappedNumber,
  formatCount,
  formatDuration,
} from "./format";

test("one is one, and none and many are many", () => {
  expect([
    formatCount(1, "player"),
    formatCount(0, "player"),
    formatCount(1_204, "live token"),
  ]).toEqual(["1 player", "0 players", "1,204 live tokens"]);
  expect([formatCount(1, "key is", "keys are"), formatCount(2, "key is", "keys are")]).toEqual([
    "1 key is",
    "2 keys are",
  ]);
});

test("a figure that was counted to the end is said as it is", () => {
  const one = { count: 1, more: false };
  expect([formatCappedNumber(one), formatCappedCount(one, "player")]).toEqual(["1", "1 player"]);
  expect(formatCappedCount({ count: 312, more: false }, "live token")).toBe("312 live tokens");
});

test("a figure that was not says so", () => {
  const many = { count: 1_000, more: true };
  expect([formatCappedNumber(many), formatCappedCount(many, "player")]).toEqual([
    "1,000+",
    "1,000 or more players",
  ]);
  expect(formatCappedCount({ count: 1, more: true }, "player loses", "players lose")).toBe(
    "1 or more players lose",
  );
});

test.each([
  [60, "1 minute"],
  [90, "90 seconds"],
  [3_600, "1 hour"],
  [5_400, "90 minutes"],
  [86_400, "1 day"],
  [180 * 86_400, "180 days"],
])("%d seconds are %s", (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});

test.each([
  ["https://client.test/cb?x=<b>&y='\"", "https://client.test/cb?x=<b>&y='\""],
  ["https://client.test/\u202Elive", "https://client.test/\\u{202E}live"],
  ["a\u200Bb\u0000c\nd", "a\\u{200B}b\\u{0}c\\u{A}d"],
  ["ünïcödé 🦊", "ünïcödé 🦊"],
])("PT-03: %j is shown as %j", (sent, shown) => {
  expect(escapeInvisible(sent)).toBe(shown);
});
