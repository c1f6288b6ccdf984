import { expect, test } from "vitest";
import { duration, shareOf } from "./in-words";

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
