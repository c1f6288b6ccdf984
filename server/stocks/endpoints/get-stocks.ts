import { toUnixSeconds } from "#server/platform/time";
import { endpoint, reply } from "#server/rest/endpoint";
import { StockMap } from "../contract";
import { holdsUntil, nextSync } from "../read-tick";
import { listNewestTick } from "../store";

export const getStocks = endpoint({
  method: "GET",
  path: "/stocks",
  title: "Get Stocks Data",
  description:
    "All stocks at the last known tick, by id. The game has a tick every minute, read at its fifth second; the answer is cached until the next one. All stocks are of one tick: where the game is silent or answers in part, the last complete tick stays, and its `timestamp` says how old it is. Before the first tick was read the map is empty.",
  tag: "Stocks",
  scopes: [],
  returns: StockMap,
  fails: [],
  cache: { until: nextSync },
  etag: true,
  handle: async ({ ctx }) => {
    const quotes = await listNewestTick(ctx.database);
    const stocks = quotes.map(({ stockId, at, price, marketCap, shares, investors, acronym }) => {
      return [
        stockId,
        { timestamp: toUnixSeconds(at), price, market_cap: marketCap, shares, investors, acronym },
      ] as const;
    });
    return reply(Object.fromEntries(stocks), { freshUntil: holdsUntil(quotes[0]?.at, ctx.now()) });
  },
});
