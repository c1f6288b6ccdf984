import type { Job } from "#server/jobs/job";
import { pickKey } from "#server/users/keys/pick-key";
import { crimeTypesAreStale, refreshStaleCrimeTypes } from "../refresh-crime-types";

/** Reads the kinds of organized crime twice a day, with the key of somebody who lends it for public data. */
export const refreshCrimeTypes: Job = {
  name: "refresh-crime-types",
  // Looked at more often than read, so that a first reading that failed is soon made up for.
  cadence: { everySeconds: 600 },
  budget: 1,
  run: async (ctx) => {
    if (!(await crimeTypesAreStale(ctx))) return { types: 0, withoutKey: 0 };
    const key = await pickKey(ctx, { of: "lenders" });
    return key ? { ...(await refreshStaleCrimeTypes(ctx, key)), withoutKey: 0 } : { types: 0, withoutKey: 1 };
  },
};
