import { expect, test } from "vitest";
import { formatCount } from "./format-count";

test("one is one, and none and many are many", () => {
  expect([formatCount(1, "player"), formatCount(0, "player"), formatCount(1_204, "live token")]).toEqual([
    "1 player",
    "0 players",
    "1,204 live tokens",
  ]);
  expect([formatCount(1, "key is", "keys are"), formatCount(2, "key is", "keys are")]).toEqual([
    "1 key is",
    "2 keys are",
  ]);
});
