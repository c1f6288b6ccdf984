import { expect, test } from "vitest";
import { changeOf, type PriceSpan, rankMovers } from "./rank-movers";

const span = (
  stockId: number,
  price: number,
  d1: number | null,
  d7: number | null = null,
): PriceSpan => ({
  stockId,
  price,
  starts: { d1, d7, m1: null },
});

test.each([
  { start: 100, price: 110, change: 0.1 },
  { start: 100, price: 90, change: -0.1 },
  { start: 3, price: 4, change: 0.3333 },
  { start: 100, price: 100.004, change: 0 },
  { start: 100, price: 100, change: 0 },
  { start: 0.01, price: 1_000, change: 99_999 },
  { start: null, price: 5, change: null },
])("from $start to $price is a change of $change", ({ start, price, change }) => {
  expect(changeOf(start, price)).toBe(change);
});

test("§7 row 63: a start price of 0 divides nothing", () => {
  expect(changeOf(0, 5)).toBeNull();
  expect(rankMovers([span(1, 5, 0)])).toEqual({
    gainers: { d1: [], d7: [], m1: [] },
    losers: { d1: [], d7: [], m1: [] },
  });
});

test("§7 row 62: gainers rose, losers fell, and the lists never overlap however few stocks there are", () => {
  const { gainers, losers } = rankMovers([span(1, 110, 100), span(2, 90, 100), span(3, 100, 100)]);
  expect(gainers.d1.map(({ stockId }) => stockId)).toEqual([1]);
  expect(losers.d1.map(({ stockId }) => stockId)).toEqual([2]);
});

test("§7 row 62: a mover's price is the present one, and the start price stands beside it", () => {
  expect(rankMovers([span(1, 110, 100)]).gainers.d1).toEqual([
    { stockId: 1, change: 0.1, price: 110, startPrice: 100 },
  ]);
});

test("the best five are listed, best first, and equals by id", () => {
  const spans = [4, 9, 2, 7, 5, 6, 8].map((id) => span(id, 100 + id, 100));
  const { gainers } = rankMovers([...spans, span(1, 105, 100)]);
  expect(gainers.d1.map(({ stockId }) => stockId)).toEqual([9, 8, 7, 6, 1]);
  const fallen = rankMovers(spans.map(({ stockId }) => span(stockId, 100 - stockId, 100)));
  expect(fallen.losers.d1.map(({ change }) => change)).toEqual([-0.09, -0.08, -0.07, -0.06, -0.05]);
});

test("a stock may rise over one period and fall over another", () => {
  const { gainers, losers } = rankMovers([span(1, 100, 90, 120)]);
  expect([gainers.d1, gainers.d7, losers.d1, losers.d7].map((list) => list.length)).toEqual([
    1, 0, 0, 1,
  ]);
});
