import type { Context } from "#server/context";
import { countUnreadable } from "#server/game/contract/rows";
import { selectionsOf } from "#server/game/selections";
import type { Job } from "#server/jobs/job";
import { hourSeconds, secondMs } from "#server/platform/time";
import { callGame, tryKeys } from "#server/users/keys/call-game";
import type { GameKey } from "#server/users/keys/pick-key";
import { findNewestSighting, saveCrimeTypes } from "./store";

/** Reads the crime types twice a day with a key lent for public data. */
export const refreshCrimeTypes: Job = {
  name: "refresh-crime-types",
  // Runs more often than it reads, so that a failed first read is retried soon.
  cadence: { everySeconds: 600 },
  budget: 1,
  run: async (ctx) => {
    if (!(await crimeTypesAreStale(ctx))) return { types: 0, withoutKey: 0 };
    const read = await tryKeys(ctx, { of: "lenders", reads: selectionsOf.crimeTypes }, (key) =>
      refreshStaleCrimeTypes(ctx, key),
    );
    return read ? { ...read, withoutKey: 0 } : { types: 0, withoutKey: 1 };
  },
};

/** The game adds a type every few months. */
const typesLifetimeSeconds = 12 * hourSeconds;

async function crimeTypesAreStale(ctx: Context): Promise<boolean> {
  const seen = await findNewestSighting(ctx.database.query);
  return seen === null || ctx.now().getTime() - seen.getTime() >= typesLifetimeSeconds * secondMs;
}

/**
 * Costs one call if the stored types have aged.
 * @returns the number of types, 0 if fresh, and unreadable rows
 * @throws GameCallError
 */
export async function refreshStaleCrimeTypes(ctx: Context, key: GameKey) {
  if (!(await crimeTypesAreStale(ctx))) return { types: 0 };
  const at = ctx.now();
  const types = await callGame(ctx, {
    key,
    priority: "background",
    call: (game, text) => game.organizedCrimeTypes(text),
  });
  await saveCrimeTypes(ctx.database.query, types, at);
  return { types: types.length, ...countUnreadable(types) };
}
