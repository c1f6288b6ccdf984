import type { Context } from "#server/context";
import { selectionsByCall } from "#server/game/selections";
import { dayMs, hourMs, minuteMs } from "#server/platform/time";
import { hasWorkingKey } from "#server/users/keys/pick-key";
import { listBenefits, payBackDays } from "./list-benefits";
import { changeOf, rankMovers } from "./rank-movers";
import { listNewestTick, listPriceSeries, listPriceSpans, readHistoryProgress } from "./store";

export type StockView = Awaited<ReturnType<typeof viewStocks>>["views"][number];

const month = { stepMs: dayMs, steps: 30 };
const monthOfOne = { stepMs: 8 * hourMs, steps: 90 };
const dayOfOne = { stepMs: 15 * minuteMs, steps: 96 };

/** `at` is null before the first tick. `isRead` is true if a key for stocks is lent. */
export async function showStocks(ctx: Context) {
  const on = ctx.database.query;
  const [{ views, at, spans }, histories, isRead] = await Promise.all([
    viewStocks(ctx),
    readHistoryProgress(on),
    hasWorkingKey(ctx, { of: "lenders", reads: selectionsByCall.stocks }),
  ]);
  const series = at === null ? [] : await listPriceSeries(on, { until: at, ...month });
  const { gainers, losers } = rankMovers(spans);
  const prices = new Map<number, number[]>(views.map(({ stockId }) => [stockId, []]));
  for (const { stockId, price } of series) prices.get(stockId)?.push(price);
  const stocks = views.map((view) => ({ ...view, prices: prices.get(view.stockId) ?? [] }));
  return { at, stocks, gainers, losers, histories, isRead };
}

export async function showStock(ctx: Context, acronym: string) {
  const { views, at } = await viewStocks(ctx);
  const view = views.find((one) => one.acronym === acronym.toUpperCase());
  if (!view || at === null) return null;
  const { stockId } = view;
  const of = (span: typeof monthOfOne) =>
    listPriceSeries(ctx.database.query, { stockId, until: at, ...span });
  const [last30Days, lastDay] = await Promise.all([of(monthOfOne), of(dayOfOne)]);
  return { at, stock: view, last30Days, lastDay };
}

async function viewStocks(ctx: Context) {
  const [quotes, spans, { benefits }] = await Promise.all([
    listNewestTick(ctx.database),
    listPriceSpans(ctx.database),
    listBenefits(ctx),
  ]);
  const starts = new Map(spans.map((span) => [span.stockId, span.starts]));
  const given = new Map(benefits.map((benefit) => [benefit.stockId, benefit]));
  const views = quotes.map((quote) => {
    const { stockId, price } = quote;
    const start = starts.get(stockId);
    const found = given.get(stockId);
    return {
      ...quote,
      changes: {
        d1: changeOf(start?.d1 ?? null, price),
        d7: changeOf(start?.d7 ?? null, price),
        m1: changeOf(start?.m1 ?? null, price),
      },
      benefit: found
        ? { ...found, cost: found.requirement * price, payBackDays: payBackDays(found, price) }
        : null,
    };
  });
  return { views, at: quotes[0]?.at ?? null, spans };
}
