import { expect, test } from "vitest";
import { rounded, trueFairFight } from "../fair-fight";
import { scoreForFairFight, scoreRange } from "./target-search";

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
      const shown = rounded(trueFairFight(score, own));
      expect(score >= from && score < below, `${score} shows as ${shown}`).toBe(shown >= min && shown <= max);
    }
});

test("bounds between two hundredths fit nobody", () => {
  const { from, below } = scoreRange({ min: 1.501, max: 1.509 }, 1_000);
  expect(from).toBeGreaterThanOrEqual(below);
});

test("a score gives back its fair fight", () => {
  for (const fair of [1, 1.5, 3, 7.25]) expect(trueFairFight(scoreForFairFight(fair, 987), 987)).toBeCloseTo(fair, 9);
});
