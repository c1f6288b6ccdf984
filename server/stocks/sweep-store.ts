import { lte, sql } from "drizzle-orm";
import type { ExpiredRows } from "#db/batches";
import { stocks, stockTicks } from "#db/schema/stocks";
import { dayMs } from "#server/platform/durations";
import { type Moment, type Sweep, sweepByIndex } from "#server/sweeper/sweep";

/** How long ticks are kept: the longest period of movers, and a day in which a tick at or before its start is found. */
export const tickRetention = 31 * dayMs;

/** The index leads with the stock, so the few stocks are stepped through, and each one's oldest ticks are found at once. */
function oldTicks({ now }: Moment): ExpiredRows {
  const where = lte(stockTicks.at, new Date(now.getTime() - tickRetention));
  return {
    table: stockTicks,
    where,
    first: stockTicks.at,
    from: ({ limit }) => sql`(
      select old.ctid from ${stocks} cross join lateral (
        select ${stockTicks}.ctid from ${stockTicks} where ${stockTicks.stockId} = ${stocks.id} and ${where}
        order by ${stockTicks.at} limit ${limit}
      ) as old limit ${limit}
    ) as old_ticks`,
  };
}

export const stockSweeps: readonly Sweep[] = [sweepByIndex("stock_ticks", oldTicks)];
