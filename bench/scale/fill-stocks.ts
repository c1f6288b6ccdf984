import type { Database } from "#db/client";

const stocks = 35;
const monthMinutes = 31 * 1_440;

/** Fills the stock market with a month of ticks up to the minute of `now`: 35 stocks, a tick a minute. */
export async function fillStocks(database: Database, now: Date): Promise<void> {
  const newest = `date_trunc('minute', '${now.toISOString()}'::timestamptz)`;
  await database.script(`
    truncate stocks, stock_ticks;
    insert into stock_ticks (stock_id, at, price)
      select id, ${newest} - minute * interval '1 minute', 100 + id + 10 * sin(minute / 700.0 + id)
      from generate_series(${monthMinutes - 1}, 0, -1) as minute, generate_series(1, ${stocks}) as id;
    insert into stocks (id, name, acronym, passive, frequency, requirement, description, history_asked_at,
        at, price, market_cap, shares, investors)
      select stock_id, 'Stock ' || stock_id, 'S' || stock_id, stock_id % 3 = 0, 7, 1000000, '$50,000,000', at,
        at, price, 1000000000, 10000000, 1000 from stock_ticks where at = ${newest};
  `);
}
