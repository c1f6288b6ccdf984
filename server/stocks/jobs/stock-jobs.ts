import type { Job } from "#server/jobs/job";
import { pickKey } from "#server/users/keys/pick-key";
import { fillHistory } from "../fill-history";
import { findStalePrices, refreshStalePrices } from "../prices/refresh-stale-prices";
import { readTick } from "../read-tick";

/** Reads what things cost every four hours and what a point costs once a day, with the key of somebody who lends it. */
export const refreshPrices: Job = {
  name: "refresh-prices",
  // Looked at more often than read, so that a first reading that failed is soon made up for.
  cadence: { everySeconds: 600 },
  budget: 2,
  run: async (ctx) => {
    const stale = await findStalePrices(ctx);
    if (!stale.items && !stale.points) return { items: 0, points: 0, withoutKey: 0 };
    const key = await pickKey(ctx, { of: "lenders" });
    if (!key) return { items: 0, points: 0, withoutKey: 1 };
    return { ...(await refreshStalePrices(ctx, key, stale)), withoutKey: 0 };
  },
};

/** Stocks whose past is read in one minute: all of them in five, well within what background work may spend of a key. */
const pastsAMinute = 7;

/** Reads every minute's tick of the stock market, with the key of somebody who lends it for public data. */
export const refreshStocks: Job = {
  name: "refresh-stocks",
  // The game publishes a minute's tick at its second to fourth second.
  cadence: { cron: "5 * * * * *" },
  budget: 1 + pastsAMinute,
  run: async (ctx, { signal }) => {
    const key = await pickKey(ctx, { of: "lenders" });
    if (!key) return { complete: 0, partial: 0, unclear: 0, histories: 0, withoutKey: 1 };
    const counts = { complete: 0, partial: 0, unclear: 0, withoutKey: 0, ...(await readTick(ctx, key)) };
    return { ...counts, histories: await fillHistory(ctx, { key, most: pastsAMinute, signal }) };
  },
};
