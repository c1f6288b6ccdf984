import { expect, test } from "vitest";
import { shuffled } from "./generate-chain-list";

const numbers = Array.from({ length: 50 }, (_, index) => index);

test("everything is there once, and the rolls alone decide the order", () => {
  let seed = 1;
  const roll = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const first = shuffled(numbers, roll);
  expect([...first].sort((a, b) => a - b)).toEqual(numbers);
  expect(shuffled(numbers, roll)).not.toEqual(first);
  expect(shuffled(numbers, () => 0.999_999)).toEqual(numbers);
  expect(shuffled([], roll)).toEqual([]);
});
