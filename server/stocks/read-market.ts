import type { Context } from "#server/context";
import { pickKey } from "#server/users/keys/pick-key";
import { fillHistory } from "./fill-history";
import { findStalePrices, refreshStalePrices } from "./prices/refresh-stale-prices";
import { readTick } from "./read-tick";
import { countHistories } from "./series-store";

/** Pasts of stocks that are read with one key, out of the 30 calls a minute that background work may make with it. */
const pastsWithOneKey = 7;

/**
 * Reads the stock market with the pasts of all stocks, and what things cost, as their jobs do bit by bit.
 * @returns whether all of it was read; not in the first seconds of a minute, which belong to no tick for certain
 */
export async function readMarket(ctx: Context, signal: AbortSignal): Promise<boolean> {
  const on = ctx.database.query;
  const lentKey = () => pickKey(ctx, { of: "lenders" });
  const key = await lentKey();
  if (!key) return false;
  await refreshStalePrices(ctx, key, await findStalePrices(ctx));
  if ((await countHistories(on)).stocks === 0) await readTick(ctx, key);
  for (let { stocks, asked } = await countHistories(on); ; ) {
    if (stocks > 0 && asked === stocks) return true;
    const reader = await lentKey();
    if (signal.aborted || !reader) return false;
    await fillHistory(ctx, { key: reader, most: pastsWithOneKey, signal });
    const before = asked;
    ({ stocks, asked } = await countHistories(on));
    if (asked <= before) return false;
  }
}
