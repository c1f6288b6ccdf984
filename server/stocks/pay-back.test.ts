import { expect, test } from "vitest";
import { payBackDays } from "./pay-back";

test.each([
  ["pays its price back after so many payments", { value: 1_000, frequency: 7, requirement: 100 }, 20, 14],
  ["and not within a payment", { value: 3_000, frequency: 7, requirement: 100 }, 20, 7],
  ["has no time without a value", { value: null, frequency: 7, requirement: 100 }, 20, null],
  ["has no time as a perk", { value: 1_000, frequency: null, requirement: 100 }, 20, null],
  ["has no time where it pays nothing", { value: 0, frequency: 7, requirement: 100 }, 20, null],
  ["has no time without a price", { value: 1_000, frequency: 7, requirement: 100 }, null, null],
])("a benefit %s", (_, benefit, price, days) => {
  expect(payBackDays(benefit, price)).toBe(days);
});
