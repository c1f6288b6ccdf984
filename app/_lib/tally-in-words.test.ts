import { expect, test } from "vitest";
import { tallyFigure } from "./tally-figure";
import { tallyInWords } from "./tally-in-words";

test("a figure that was counted to the end is said as it is", () => {
  const one = { count: 1, more: false };
  expect([tallyFigure(one), tallyInWords(one, "player")]).toEqual(["1", "1 player"]);
  expect(tallyInWords({ count: 312, more: false }, "live token")).toBe("312 live tokens");
});

test("a figure that was not says so", () => {
  const many = { count: 1_000, more: true };
  expect([tallyFigure(many), tallyInWords(many, "player")]).toEqual(["1,000+", "1,000 or more players"]);
  expect(tallyInWords({ count: 1, more: true }, "player loses", "players lose")).toBe("1 or more players lose");
});
