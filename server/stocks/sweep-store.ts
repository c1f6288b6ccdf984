import { lte, sql } from "drizzle-orm";
import type { Ripe } from "#db/batches";
import { stocks, stockTicks } from "#db/schema/stocks";
import type { Moment, Sweep } from "#server/sweeper/sweep";
import { sweepByIndex } from "#server/sweeper/sweep-by-index";
import { keptMilliseconds } from "./kept";

/** The index leads with the stock, so the few stocks are stepped through, and each one's oldest ticks are found at once. */
function oldTicks({ now }: Moment): Ripe {
  const where = lte(stockTicks.at, new Date(now.getTime() - keptMilliseconds));
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
