import { expect, test } from "vitest";
import { type Amount, fits } from "./amount";

const most = Number.MAX_SAFE_INTEGER;

test.each<[Amount, number, number, number | undefined]>([
  [100, 100, 0, 100],
  [101, 100, 0, undefined],
  [40, 100, 60, 40],
  [41, 100, 60, undefined],
  [1, 100, 100, undefined],
  // More is spoken for than there is: the balance fell since.
  [1, 50, 80, undefined],
  [1, 0, 0, undefined],
  [1, -500, 0, undefined],
  ["all", 100, 0, 100],
  ["all", 100, 1, undefined],
  ["all", 0, 0, undefined],
  ["all", -1, 0, undefined],
  [most, most, 0, most],
  [most, most, 1, undefined],
  [most, most, most, undefined],
])("%j of a balance of %d with %d spoken for comes to %j", (amount, balance, spokenFor, result) => {
  expect(fits(amount, { balance, spokenFor })).toBe(result);
});
