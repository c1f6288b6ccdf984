import { expect, test } from "vitest";
import { type Payout, payBackDays, readPayout, worthOf } from "./list-benefits";

test.each<{ text: string; payout: Payout }>([
  { text: "$50,000,000", payout: { kind: "money", amount: 50_000_000 } },
  { text: "$1", payout: { kind: "money", amount: 1 } },
  { text: " $ 25,000 ", payout: { kind: "money", amount: 25_000 } },
  { text: "1x Picnic Hamper", payout: { kind: "item", quantity: 1, name: "Picnic Hamper" } },
  { text: "25x Salt Poppy", payout: { kind: "item", quantity: 25, name: "Salt Poppy" } },
  {
    text: "1,000 X Widow's Port ",
    payout: { kind: "item", quantity: 1_000, name: "Widow's Port" },
  },
  { text: "100 points", payout: { kind: "points", quantity: 100 } },
  { text: "1 point", payout: { kind: "points", quantity: 1 } },
  { text: "100 energy", payout: { kind: "other" } },
  { text: "A random property", payout: { kind: "other" } },
  { text: "$50,000,000 every month", payout: { kind: "other" } },
  { text: "x Nothing", payout: { kind: "other" } },
  { text: "$99999999999999999999", payout: { kind: "other" } },
  { text: "", payout: { kind: "other" } },
])("“$text” pays $payout", ({ text, payout }) => {
  expect(readPayout(text)).toEqual(payout);
});

test.each(["50 Points", "50 POINTS", "50 points"])(
  "§7 row 63: “%s” are points in whatever case",
  (text) => {
    expect(readPayout(text)).toEqual({ kind: "points", quantity: 50 });
  },
);

test("§7 row 63: several of a thing are worth so many times one", () => {
  expect(worthOf(readPayout("6x Harbour Stout"), 1_250)).toBe(7_500);
  expect(worthOf(readPayout("1x Harbour Stout"), 1_250)).toBe(1_250);
});

test.each([
  { text: "$50,000,000", unit: null, value: 50_000_000 },
  { text: "100 points", unit: 44_500.5, value: 4_450_050 },
  { text: "3 points", unit: 0.5, value: 2 },
  { text: "1x House Key", unit: null, value: null },
  { text: "100 energy", unit: 7, value: null },
  { text: "1,000,000x Moon", unit: 9_007_199_254_740_991, value: null },
])("“$text” at $unit each is worth $value", ({ text, unit, value }) => {
  expect(worthOf(readPayout(text), unit)).toBe(value);
});

test.each([
  [
    "pays its price back after so many payments",
    { value: 1_000, frequency: 7, requirement: 100 },
    20,
    14,
  ],
  ["and not within a payment", { value: 3_000, frequency: 7, requirement: 100 }, 20, 7],
  ["has no time without a value", { value: null, frequency: 7, requirement: 100 }, 20, null],
  ["has no time as a perk", { value: 1_000, frequency: null, requirement: 100 }, 20, null],
  ["has no time where it pays nothing", { value: 0, frequency: 7, requirement: 100 }, 20, null],
  ["has no time without a price", { value: 1_000, frequency: 7, requirement: 100 }, null, null],
])("a benefit %s", (_, benefit, price, days) => {
  expect(payBackDays(benefit, price)).toBe(days);
});
