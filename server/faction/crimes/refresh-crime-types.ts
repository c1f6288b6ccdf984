import type { Context } from "#server/context";
import { countUnreadable } from "#server/game/contract/rows";
import { askGame } from "#server/users/keys/ask-game";
import type { OpenKey } from "#server/users/keys/open-key";
import { findNewestSighting, saveCrimeTypes } from "./store";

/** The game adds a kind of crime every few months. */
const typesLifetimeSeconds = 12 * 3_600;

/** Whether the kinds of organized crime were never read, or too long ago. */
export async function crimeTypesAreStale(ctx: Context): Promise<boolean> {
  const seen = await findNewestSighting(ctx.database.query);
  return seen === null || ctx.now().getTime() - seen.getTime() >= typesLifetimeSeconds * 1_000;
}

/**
 * Reads the kinds of organized crime where what is stored has aged, at the cost of one call.
 * @returns how many there are, 0 where nothing was to be done, and rows that could not be read
 * @throws GameError
 */
export async function refreshStaleCrimeTypes(ctx: Context, key: OpenKey) {
  if (!(await crimeTypesAreStale(ctx))) return { types: 0 };
  const at = ctx.now();
  const types = await askGame(ctx, {
    key,
    priority: "background",
    call: (game, text) => game.organizedCrimeTypes(text),
  });
  await saveCrimeTypes(ctx.database.query, types, at);
  return { types: types.length, ...countUnreadable(types) };
}
