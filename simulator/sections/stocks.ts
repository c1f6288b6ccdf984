import { minuteMs } from "#server/platform/durations";
import type { ListedStock } from "#simulator/stock-list";
import type { StockMarket } from "#simulator/stock-market";
import type { Ask } from "./section";

const hour = 60;
const day = 24 * hour;

/** How far the chart reaches back, one point an hour. */
const chartHours = 31 * 24;

/** The row of `torn/stocks`. */
export function stockObject(stock: ListedStock, { stockMarket, now }: Ask) {
  const { id, name, acronym, bonus } = stock;
  const { price, cap, shares, investors } = stockMarket.quote(stock, stockMarket.visibleMinute(now));
  const images = { logo: `https://game.invalid/stocks/${acronym}.svg`, full: `https://game.invalid/stocks/${id}.png` };
  return { id, name, acronym, images, market: { price, cap, shares, investors }, bonus };
}

/** The same with what the price did: `torn/{stockId}/stocks`. */
export function detailedStockObject(stock: ListedStock, ask: Ask) {
  const { stockMarket, now } = ask;
  const minute = stockMarket.visibleMinute(now);
  const last = (minutes: number) => performance(stockMarket, stock, { from: minute - minutes, to: minute });
  const spans = { last_hour: hour, last_day: day, last_week: 7 * day, last_month: 30 * day, last_year: 365 * day };
  return {
    ...stockObject(stock, ask),
    chart: {
      performance: {
        ...Object.fromEntries(Object.entries(spans).map(([name, minutes]) => [name, last(minutes)])),
        all_time: last(3 * 365 * day),
      },
      history: history(stockMarket, stock, minute),
    },
  };
}

/** As many points as are looked at for the highest and lowest price of a span. */
const looks = 60;

function performance(market: StockMarket, stock: ListedStock, { from, to }: { from: number; to: number }) {
  const step = Math.max(1, Math.floor((to - from) / looks));
  const prices: number[] = [];
  for (let minute = to; minute >= from; minute -= step) prices.push(market.price(stock, minute));
  const [start, end] = [market.price(stock, from), market.price(stock, to)];
  const change = Math.round((end - start) * 100) / 100;
  return {
    change,
    change_percentage: Math.round((change / start) * 10_000) / 100,
    start,
    end,
    high: Math.max(start, ...prices),
    low: Math.min(start, ...prices),
  };
}

/** The price at every full hour, oldest first. */
function history(market: StockMarket, stock: ListedStock, minute: number) {
  const newest = Math.floor(minute / hour) * hour;
  return Array.from({ length: chartHours }, (_, index) => {
    const at = newest - (chartHours - 1 - index) * hour;
    const price = market.price(stock, at);
    const change = Math.round((price - market.price(stock, at - hour)) * 100) / 100;
    return { timestamp: (at * minuteMs) / 1_000, price, change };
  });
}
