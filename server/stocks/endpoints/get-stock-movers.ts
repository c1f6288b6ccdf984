import { endpoint, reply } from "#server/rest/endpoint";
import { StockMovers } from "../contract";
import { type Ranking, rankMovers } from "../rank-movers";
import { listPriceSpans } from "../store";

export const getStockMovers = endpoint({
  method: "GET",
  path: "/stocks/movers",
  title: "Get Stock Movers Data",
  description:
    "The stocks that rose and that fell the most over the last 24 hours, 7 days and 30 days: up to five of each, best first. A period ends with the newest tick and begins with the last tick at or before its start; a stock without a tick that old is left out. Cached for one minute.",
  tag: "Stocks",
  scopes: [],
  returns: StockMovers,
  fails: [],
  cache: { seconds: 60 },
  etag: true,
  handle: async ({ ctx }) => {
    const spans = await listPriceSpans(ctx.database);
    const { gainers, losers } = rankMovers(spans);
    const movers = { gainers: onWire(gainers), losers: onWire(losers) };
    // Do not cache an empty list before the first tick.
    return reply(movers, spans.length > 0 ? {} : { freshUntil: ctx.now() });
  },
});

function onWire(ranking: Ranking) {
  const list = (movers: Ranking["d1"]) =>
    movers.map(({ stockId, change, price, startPrice }) => {
      return { stock_id: stockId, change, price, start_price: startPrice };
    });
  return { d1: list(ranking.d1), d7: list(ranking.d7), m1: list(ranking.m1) };
}
