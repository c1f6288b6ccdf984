import { expect, test } from "vitest";
import { roundToHundredths, uncappedFairFight } from "../fair-fight";
import { levelsThatBring, scoreForFairFight, scoreRange } from "./target-search";

test.each([
  { min: 1, max: 3 },
  { min: 1.15, max: 1.15 },
  { min: 2, max: 2.01 },
  { min: 2.5, max: 120 },
  { min: 1.001, max: 1.999 },
])("the scores for a fair fight of $min to $max are those that show as it", ({ min, max }) => {
  const own = 4_321;
  const { from, below } = scoreRange({ min, max }, own);
  for (const edge of [from, below])
    for (const score of [edge - 0.001, edge + 0.001].filter((near) => near >= 0)) {
      const shown = roundToHundredths(uncappedFairFight(score, own));
      expect(score >= from && score < below, `${score} shows as ${shown}`).toBe(
        shown >= min && shown <= max,
      );
    }
});

test("bounds between two hundredths fit nobody", () => {
  const { from, below } = scoreRange({ min: 1.501, max: 1.509 }, 1_000);
  expect(from).toBeGreaterThanOrEqual(below);
});

test("a score gives back its fair fight", () => {
  for (const fair of [1, 1.5, 3, 7.25])
    expect(uncappedFairFight(scoreForFairFight(fair, 987), 987)).toBeCloseTo(fair, 9);
});

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
