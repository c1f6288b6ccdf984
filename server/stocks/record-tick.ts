import type { Context } from "#server/context";
import { hourMs } from "#server/platform/durations";
import { isAwaited, missingStocks } from "./missing-stocks";
import {
  findNewestTick,
  forgetHistory,
  insertTicks,
  listKnownStocks,
  noteMissing,
  replaceNewestTick,
  type SeenStock,
  saveStocks,
} from "./store";

/** A tick later than this after the one before means that ticks are missing, which the game's charts may fill; milliseconds. */
const gap = hourMs;

/**
 * Stores what the game showed at a minute, all stocks in one transaction. The newest tick is replaced only by a complete one;
 * what came of a partial one is history all the same. The same minute again changes nothing.
 * @returns whether the tick was complete
 */
export async function recordTick(
  ctx: Context,
  { at, seen }: { at: Date; seen: readonly SeenStock[] },
): Promise<boolean> {
  // An answer without a single stock says nothing of any of them.
  if (seen.length === 0) return false;
  // A stock that an answer names twice counts once; by id, so that two writers meet the rows in one order.
  const quotes = [...new Map(seen.map((stock) => [stock.stockId, stock])).values()];
  quotes.sort((a, b) => a.stockId - b.stockId);
  return ctx.database.transaction(async (tx) => {
    const before = await findNewestTick(tx);
    const missing = missingStocks(await listKnownStocks(tx), new Set(quotes.map(({ stockId }) => stockId)));
    await saveStocks(tx, quotes, at);
    await noteMissing(
      tx,
      missing.map(({ stockId }) => stockId),
      at,
    );
    await insertTicks(tx, quotes, at);
    const complete = !missing.some((stock) => isAwaited(stock, at));
    if (!complete) return false;
    if (before && at.getTime() - before.getTime() > gap) await forgetHistory(tx);
    await replaceNewestTick(tx, quotes, at);
    return true;
  });
}
