import { expect, test } from "vitest";
import { levelsThatBring, scoreRange } from "./target-search";

const ownScore = 5_600;
const from = (min: number, max: number, difficulty: { min: number; max: number }) => ({
  level: { min, max },
  scores: scoreRange(difficulty, ownScore),
  ownScore,
});

test("without a bound all levels count", () => {
  expect(levelsThatBring(from(1, 100, { min: 1, max: 3 }), 0)).toEqual({ min: 1, max: 100 });
});

test("a bound leaves the levels at which the strongest wanted brings as much", () => {
  // At level 100 a plain hit brings 1.5 times the fair fight, at level 50 1.25 times.
  expect(levelsThatBring(from(1, 100, { min: 1, max: 12 }), 4.5)).toEqual({ min: 100, max: 100 });
  expect(levelsThatBring(from(1, 100, { min: 1, max: 12 }), 3.75)).toEqual({ min: 50, max: 100 });
  expect(levelsThatBring(from(60, 80, { min: 1, max: 12 }), 3.75)).toEqual({ min: 60, max: 80 });
});

test("where the wish is for weak ones, or for low levels, none may bring as much", () => {
  expect(levelsThatBring(from(1, 100, { min: 1, max: 2 }), 3.5)).toBeNull();
  expect(levelsThatBring(from(1, 20, { min: 1, max: 12 }), 4)).toBeNull();
});
