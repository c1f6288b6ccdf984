import { expect, test } from "vitest";
import {
  type Amount,
  describeShortBalance,
  remainingBalance,
  resolveAmount,
} from "./vault-request";

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
  expect(resolveAmount(amount, { balance, spokenFor })).toBe(result);
});

test("where requests are pending, `all` is refused with what is left to ask for", () => {
  const holdings = { balance: 1_000, spokenFor: 600 };
  expect(remainingBalance("all", holdings)).toBe(400);
  expect(describeShortBalance("all", holdings, "money_balance")).toBe(
    "Not enough: $400 available, $600 already requested. Ask for $400 instead of all.",
  );
  for (const nothing of [
    { balance: 600, spokenFor: 600 },
    { balance: 0, spokenFor: 0 },
    { balance: -5, spokenFor: 0 },
  ])
    expect(remainingBalance("all", nothing)).toBeNull();
  expect(remainingBalance(500, holdings)).toBeNull();
});
