import { expect, test } from "vitest";
import { statScore } from "./stat-score";

test.each([
  { stats: [100, 100, 100, 100], score: 40 },
  { stats: [400, 0, 0, 0], score: 20 },
  { stats: [0, 0, 0, 0], score: 0 },
  { stats: [1, 4, 9, 16], score: 10 },
  { stats: [1e11, 1e11, 1e11, 1e11], score: 4 * Math.sqrt(1e11) },
])(
  "stats of $stats make a score of $score",
  ({ stats: [strength = 0, defense = 0, speed = 0, dexterity = 0], score }) => {
    expect(statScore({ strength, defense, speed, dexterity })).toBe(score);
  },
);
