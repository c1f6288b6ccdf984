import { daySeconds, secondMs, toUnixSeconds } from "#server/platform/time";
import { defineEndpoint, reply } from "#server/rest/endpoint";
import { StockBenefits, StockMap, StockMovers } from "../contract";
import { type Benefit, type BenefitKind, listBenefits } from "../list-benefits";
import { type Ranking, rankMovers } from "../rank-movers";
import { nextTickReadAt, tickFreshUntil } from "../read-tick";
import { listNewestTick, listPriceSpans } from "../store";

export const getStocks = defineEndpoint({
  method: "GET",
  path: "/stocks",
  title: "Get Stocks Data",
  did: "Read stock prices",
  description:
    "All stocks at the last known tick, by id. The game has a tick every minute, read at its fifth second; the answer is cached until the next one. All stocks are of one tick: where the game is silent or answers in part, the last complete tick stays, and its `timestamp` says how old it is. Before the first tick was read the map is empty.",
  tag: "Stocks",
  scopes: [],
  returns: StockMap,
  fails: [],
  cache: { until: nextTickReadAt },
  etag: true,
  handle: async ({ ctx }) => {
    const quotes = await listNewestTick(ctx.database);
    const stocks = quotes.map(({ stockId, at, price, marketCap, shares, investors, acronym }) => [
      stockId,
      { timestamp: toUnixSeconds(at), price, market_cap: marketCap, shares, investors, acronym },
    ]);
    return reply(Object.fromEntries(stocks), {
      freshUntil: tickFreshUntil(quotes[0]?.at, ctx.now()),
    });
  },
});

const unpricedSeconds = 60;

export const getStockBenefits = defineEndpoint({
  method: "GET",
  path: "/stocks/benefits",
  title: "Get Stock Benefits Data",
  did: "Read what stocks pay",
  description:
    "What the holders of each stock get. `active` pays money, items or points every `frequency` days; `passive` grants a perk for as long as the shares are held; `non_rev` pays what has no price, such as energy. Values are for one payment, at market prices. Cached for one day.",
  tag: "Stocks",
  scopes: [],
  returns: StockBenefits,
  fails: [],
  cache: { seconds: daySeconds },
  etag: true,
  handle: async ({ ctx }) => {
    const { benefits, priced } = await listBenefits(ctx);
    const known = benefits.length > 0;
    const listOf = (kind: BenefitKind) =>
      benefits.filter((benefit) => benefit.kind === kind).map(benefitOnWire);
    const soon = new Date(ctx.now().getTime() + unpricedSeconds * secondMs);
    return reply(
      {
        active: listOf("active"),
        passive: listOf("passive"),
        non_rev: listOf("non-revenue"),
      },
      priced && known ? {} : { freshUntil: known ? soon : ctx.now() },
    );
  },
});

const benefitOnWire = ({ stockId, requirement, frequency, description, item, value }: Benefit) => ({
  stock_id: stockId,
  benefit: {
    requirement,
    frequency,
    description,
    item: item && { tid: item.itemId, name: item.name, description: item.description },
    value,
  },
});

export const getStockMovers = defineEndpoint({
  method: "GET",
  path: "/stocks/movers",
  title: "Get Stock Movers Data",
  did: "Read which stocks move most",
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
    const movers = { gainers: rankingOnWire(gainers), losers: rankingOnWire(losers) };
    // Do not cache an empty list before the first tick.
    return reply(movers, spans.length > 0 ? {} : { freshUntil: ctx.now() });
  },
});

function rankingOnWire(ranking: Ranking) {
  const list = (movers: Ranking["d1"]) =>
    movers.map(({ stockId, change, price, startPrice }) => {
      return { stock_id: stockId, change, price, start_price: startPrice };
    });
  return { d1: list(ranking.d1), d7: list(ranking.d7), m1: list(ranking.m1) };
}
