import { expect, test } from "vitest";
import { statScore } from "#server/users/stats/stat-score";
import { totalRange } from "./fair-fight";

test.each([
  { score: 0, min: 0, max: 0 },
  { score: 40, min: 400, max: 581 },
  { score: 5_600.25, min: 7_840_700, max: 11_404_654 },
])("a score of $score stands for a total of $min to $max", ({ score, min, max }) => {
  expect(totalRange(score)).toEqual({ min, max });
});

test("an even build is the least that a score stands for", () => {
  const score = statScore({ strength: 90_000, defense: 90_000, speed: 90_000, dexterity: 90_000 });
  expect(totalRange(score).min).toBe(360_000);
});
