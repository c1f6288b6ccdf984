import { and, asc, count, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { stockLatest, stocks, stockTicks } from "#db/schema/stocks";
import { secondMs } from "#server/platform/time";

/**
 * Prices at even intervals, each of the last tick at or before; one index lookup per stock and
 * point. Points before the first tick are missing.
 * @param span.stockId one stock; all, if absent
 */
export async function listPriceSeries(
  on: Queryable,
  {
    stockId,
    until,
    stepMs,
    steps,
  }: { stockId?: number; until: Date; stepMs: number; steps: number },
): Promise<{ readonly stockId: number; readonly at: Date; readonly price: number }[]> {
  const ago = sql`${until.toISOString()}::timestamptz - step * ${stepMs / secondMs} * interval '1 second'`;
  const found = sql`(select ${stockTicks.price} from ${stockTicks} where ${stockTicks.stockId} = ${stockLatest.stockId}
    and ${stockTicks.at} <= place.at order by ${stockTicks.at} desc limit 1) as found`;
  return on
    .select({
      stockId: stockLatest.stockId,
      at: sql`place.at`.mapWith(stockLatest.at),
      price: sql<number>`found.price`,
    })
    .from(stockLatest)
    .crossJoinLateral(
      sql`(select ${ago} as at from generate_series(0, ${steps}::integer) as step) as place`,
    )
    .crossJoinLateral(found)
    .where(stockId === undefined ? undefined : eq(stockLatest.stockId, stockId))
    .orderBy(asc(stockLatest.stockId), sql`place.at`);
}

export async function listStockNames(
  on: Queryable,
): Promise<Map<number, { name: string; acronym: string }>> {
  const rows = await on
    .select({ id: stocks.id, name: stocks.name, acronym: stocks.acronym })
    .from(stocks);
  return new Map(rows.map(({ id, name, acronym }) => [id, { name, acronym }]));
}

export async function countHistories(
  on: Queryable,
): Promise<{ readonly stocks: number; readonly asked: number }> {
  const [row] = await on
    .select({ stocks: count(), asked: count(stocks.historyAskedAt) })
    .from(stocks)
    .where(isNull(stocks.missingSince));
  return row ?? { stocks: 0, asked: 0 };
}

export async function listStocksWithoutHistory(on: Queryable, limit: number): Promise<number[]> {
  const rows = await on
    .select({ id: stocks.id })
    .from(stocks)
    .where(and(isNull(stocks.historyAskedAt), isNull(stocks.missingSince)))
    .orderBy(asc(stocks.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}

export async function markHistoryAsked(tx: Queryable, stockId: number, at: Date): Promise<void> {
  await tx.update(stocks).set({ historyAskedAt: at }).where(eq(stocks.id, stockId));
}

/** Marks all histories as unread after a gap. */
export async function forgetHistory(tx: Queryable): Promise<void> {
  await tx.update(stocks).set({ historyAskedAt: null }).where(isNotNull(stocks.historyAskedAt));
}
