import type { Context } from "#server/context";
import { rankMovers } from "./rank-movers";
import { listPriceSpans } from "./store";

/**
 * The stocks that rose and that fell the most over 24 hours, 7 days and 30 days up to the newest complete tick. A period begins
 * with the last tick at or before its start; a stock without one is not compared. `known` is false before the first tick.
 */
export async function findMovers(ctx: Context) {
  const spans = await listPriceSpans(ctx.database);
  return { ...rankMovers(spans), known: spans.length > 0 };
}
