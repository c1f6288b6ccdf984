import { expect, test } from "vitest";
import { countOf } from "./count-of";

test("one is one, and none and many are many", () => {
  expect([countOf(1, "player"), countOf(0, "player"), countOf(1_204, "live token")]).toEqual([
    "1 player",
    "0 players",
    "1,204 live tokens",
  ]);
  expect([countOf(1, "key is", "keys are"), countOf(2, "key is", "keys are")]).toEqual(["1 key is", "2 keys are"]);
});
