import { expect, test } from "vitest";
import { Items, LowestPointsPrice, OrganizedCrimeTypes, Stocks } from "./torn";

test("a crime type counts its slots, whatever their names are", () => {
  const slots = [{ name: "Lookout", required_item: null }, { name: null }, { name: 7 }];
  const organizedcrimes = [
    { name: "A", description: "", difficulty: 2, slots, prerequisite: null },
  ];
  expect(OrganizedCrimeTypes.parse({ organizedcrimes })).toEqual([{ name: "A", difficulty: 2 }]);
});

const stock = {
  id: 3,
  name: "Tin & Sons",
  acronym: "TIN",
  images: { logo: "", full: "" },
  market: { price: 812.43, cap: 4_000_000_000_000, shares: 5_000_000_000, investors: 912 },
  bonus: { passive: false, frequency: 7, requirement: 100_000, description: "1x Tin Box" },
};

test("a stock tells price, market and what holding it brings", () => {
  expect(Stocks.parse({ stocks: [stock] })).toEqual([
    {
      stockId: 3,
      name: "Tin & Sons",
      acronym: "TIN",
      price: 812.43,
      marketCap: 4_000_000_000_000,
      shares: 5_000_000_000,
      investors: 912,
      bonus: { passive: false, frequency: 7, requirement: 100_000, description: "1x Tin Box" },
    },
  ]);
  const perk = { ...stock, bonus: { ...stock.bonus, passive: true, frequency: 7 } };
  expect(Stocks.parse({ stocks: [perk] })[0]?.bonus.frequency).toBeNull();
  const odd = { ...stock, bonus: { ...stock.bonus, frequency: "weekly" } };
  expect(Stocks.parse({ stocks: [odd] })[0]).toMatchObject({
    price: 812.43,
    bonus: { frequency: null },
  });
});

test.each([0, -1, "812.43", null])("a price of %j is no price", (price) => {
  const wrong = { ...stock, market: { ...stock.market, price } };
  const stocks = Stocks.parse({ stocks: [stock, wrong] });
  expect(stocks).toHaveLength(1);
  expect(stocks.unreadable).toEqual({
    rows: 1,
    ids: [3],
    why: [expect.stringMatching(/^market\.price /)],
  });
});

test("an item that nobody sells has no price, which is not a price of 0", () => {
  const item = { id: 9, name: "Tin Box", description: "", type: "Special" };
  const items = [
    { ...item, value: { vendor: null, market_price: 1200 } },
    { ...item, value: { market_price: 0 } },
    item,
  ];
  expect(Items.parse({ items }).map(({ marketPrice }) => marketPrice)).toEqual([1200, null, null]);
});

test("a point costs what the cheapest offer asks, whether offers come as a list or as a map", () => {
  const offers = [
    { id: 1, cost: 31_000, quantity: 5 },
    { id: 2, cost: 30_950, quantity: 1 },
  ];
  expect(LowestPointsPrice.parse({ pointsmarket: offers })).toBe(30_950);
  expect(LowestPointsPrice.parse({ pointsmarket: { 1: offers[0], 2: offers[1] } })).toBe(30_950);
  expect(LowestPointsPrice.parse({ pointsmarket: [] })).toBeNull();
  const odd = { 3: null, 4: { cost: "free" } };
  expect(LowestPointsPrice.parse({ pointsmarket: { 1: offers[0], 2: offers[1], ...odd } })).toBe(
    30_950,
  );
});
