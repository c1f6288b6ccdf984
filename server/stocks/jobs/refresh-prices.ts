import type { Job } from "#server/jobs/job";
import { pickKey } from "#server/users/keys/pick-key";
import { findStalePrices, refreshStalePrices } from "../prices/refresh-stale-prices";

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
