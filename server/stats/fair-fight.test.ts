import { expect, test } from "vitest";
import { statScore } from "#server/users/player";
import {
  attackerScore,
  baseRespect,
  defenderScore,
  fairFight,
  hitRespect,
  isWin,
  npcIds,
  roundToHundredths,
  scoreError,
  statTotalRange,
  uncappedFairFight,
} from "./fair-fight";

test.each([
  ["Attacked", true],
  ["Mugged", true],
  ["Hospitalized", true],
  ["Arrested", true],
  ["Special", true],
  ["Bounty", true],
  ["None", false],
  ["Assist", false],
  ["Lost", false],
  ["Stalemate", false],
  ["Escape", false],
  ["Looted", false],
  ["Interrupted", false],
  ["Timeout", false],
  ["Charmed", false],
])("%s is a win: %s", (result, won) => {
  expect(isWin(result)).toBe(won);
});

test("the game's own fighters are known", () => {
  expect([...npcIds]).toEqual([4, 10, 15, 17, 19, 20, 21]);
});

test.each([
  { defender: 0, attacker: 1_000, uncapped: 1, printed: 1 },
  { defender: 375, attacker: 1_000, uncapped: 2, printed: 2 },
  { defender: 749, attacker: 1_000, uncapped: 3, printed: 3 },
  { defender: 750, attacker: 1_000, uncapped: 3, printed: 3 },
  { defender: 1_000, attacker: 1_000, uncapped: 3.67, printed: 3 },
  { defender: 1_000, attacker: 10, uncapped: 267.67, printed: 3 },
  { defender: 20, attacker: 1_000, uncapped: 1.05, printed: 1.05 },
])("a defender of $defender gives an attacker of $attacker a fair fight of $printed", (row) => {
  expect(roundToHundredths(uncappedFairFight(row.defender, row.attacker))).toBe(row.uncapped);
  expect(fairFight(row.defender, row.attacker)).toBe(row.printed);
});

test.each([1.05, 1.1, 1.5, 2, 2.5, 2.99])(
  "a printed fair fight of %d tells the other's score within its error",
  (ff) => {
    const own = 12_345;
    const beaten = defenderScore(ff, own);
    expect(fairFight(beaten, own)).toBe(ff);
    expect(attackerScore(ff, beaten)).toBeCloseTo(own, 6);
    for (const edge of [ff - 0.00499, ff + 0.00499])
      expect(Math.abs(defenderScore(edge, own) / beaten - 1)).toBeLessThanOrEqual(scoreError(ff));
  },
);

test.each([
  [1.05, 0.1],
  [1.1, 0.05],
  [1.5, 0.01],
  [2.5, 0.00333],
])("the error of a score at fair fight %d is %d", (ff, error) => {
  expect(scoreError(ff)).toBeCloseTo(error, 4);
});

test.each([
  [1, 1],
  [2, 1.01],
  [50, 1.25],
  [99, 1.49],
  [100, 1.5],
])("a hit on level %d is worth %d respect", (level, respect) => {
  expect(baseRespect(level)).toBe(respect);
});

test("respect counts a fair fight of 3 at most", () => {
  expect(hitRespect(100, 2)).toBe(3);
  expect(hitRespect(100, 3)).toBe(4.5);
  expect(hitRespect(100, 267.67)).toBe(4.5);
});

test.each([
  { score: 0, min: 0, max: 0 },
  { score: 40, min: 400, max: 581 },
  { score: 5_600.25, min: 7_840_700, max: 11_404_654 },
])("a score of $score stands for a total of $min to $max", ({ score, min, max }) => {
  expect(statTotalRange(score)).toEqual({ min, max });
});

test("an even build is the least that a score stands for", () => {
  const score = statScore({ strength: 90_000, defense: 90_000, speed: 90_000, dexterity: 90_000 });
  expect(statTotalRange(score).min).toBe(360_000);
});
