import type { Job } from "#server/jobs/job";
import { pickKey } from "#server/users/keys/pick-key";
import { fillHistory } from "../fill-history";
import { readTick } from "../read-tick";

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
