import { expect, test } from "vitest";
import {
  baseRespect,
  chainModifier,
  nextBonusHit,
  printedFairFight,
  respectOf,
} from "./fight-rules";

const plain = { fairFight: 1, war: 1, retaliation: 1, group: 1, overseas: 1, chain: 1, warlord: 1 };

test.each([
  [1_000, 1_000, 3],
  [1_000, 750, 3],
  [1_000, 375, 2],
  [1_000, 100, 1.27],
  [1_000, 1, 1],
  [4_000, 800, 1.53],
])("a score of %d against %d prints a fair fight of %d", (attacker, defender, printed) => {
  expect(printedFairFight(attacker, defender)).toBe(printed);
});

test.each([
  [1, 1],
  [25, 1.12],
  [50, 1.25],
  [75, 1.37],
  [100, 1.5],
])("level %d is worth %d", (level, base) => {
  expect(baseRespect(level)).toBe(base);
});

test("a hit is worth the level's base times every multiplier, with two decimals", () => {
  expect(respectOf(50, { ...plain, fairFight: 2.5, war: 2, retaliation: 1.5 }, 1)).toBe(9.38);
  expect(respectOf(100, { ...plain, fairFight: 3, overseas: 1.25 }, 0)).toBe(5.63);
});

test("certain hits of a chain pay a flat bonus, each twice the one before", () => {
  expect(
    [10, 25, 50, 100, 250].map((count) => respectOf(50, { ...plain, fairFight: 3 }, count)),
  ).toEqual([10, 20, 40, 80, 160]);
  expect([0, 9, 10, 11, 99, 100_000].map(nextBonusHit)).toEqual([10, 10, 25, 25, 100, 100_000]);
});

test("a chain multiplies from its tenth hit on, and never more than threefold", () => {
  expect([1, 9, 10, 100, 1_000, 100_000, 1_000_000].map(chainModifier)).toEqual([
    1, 1, 1, 1.5, 2, 3, 3,
  ]);
});
