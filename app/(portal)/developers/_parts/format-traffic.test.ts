import { expect, test } from "vitest";
import { duration, formatErrors, hasManyErrors, shareOf } from "./format-traffic";

test.each([
  [null, "–"],
  [0, "0 ms"],
  [430, "0.4 ms"],
  [9_940, "9.9 ms"],
  [12_400, "12 ms"],
  [999_400, "999 ms"],
  [1_240_000, "1.2 s"],
] as const)("%s microseconds are %j", (micros, words) => {
  expect(duration(micros)).toBe(words);
});

test("nothing of nothing is no share", () => {
  expect([shareOf(0, 0), shareOf(1, 40)]).toEqual(["0%", "2.5%"]);
});

test("errors are said to be of the calls that were looked at, and no others", () => {
  expect(formatErrors({ calls: { count: 40, more: false }, errors: 1 })).toBe("2.5% of the calls");
  expect(formatErrors({ calls: { count: 1_000, more: true }, errors: 20 })).toBe("2% of the newest 1,000 calls");
  expect(formatErrors({ calls: { count: 0, more: false }, errors: 0 })).toBe("last 24 hours");
});

test.each([
  [5, 1, false],
  [19, 19, false],
  [20, 1, false],
  [20, 2, true],
  [1_000, 60, true],
])("of %i calls %i errors: many is %s", (count, errors, many) => {
  expect(hasManyErrors({ calls: { count, more: false }, errors })).toBe(many);
});
