import type { Context } from "#server/context";
import { countUnreadable } from "#server/game/contract/rows";
import { selectionsOf } from "#server/game/selections";
import type { Job } from "#server/jobs/job";
import { hourMs, minuteMs } from "#server/platform/time";
import { callGame, tryKeys } from "#server/users/keys/call-game";
import { findItemsRead, findPointsPrice, saveItems, savePointsPrice } from "./price-store";

/** Reads what things cost every four hours and what a point costs once a day, with the key of somebody who lends it. */
export const refreshPrices: Job = {
  name: "refresh-prices",
  // Looked at more often than read, so that a first reading that failed is soon made up for.
  cadence: { everySeconds: 600 },
  budget: 2,
  run: async (ctx) => {
    const stale = await findStalePrices(ctx);
    if (!stale.items && !stale.points) return { items: 0, points: 0, withoutKey: 0 };
    return refreshStalePrices(ctx, stale);
  },
};

/** A little less than the period, so that a run which comes a moment early does not put it off to the next slot. */
const itemsLifetime = 4 * hourMs - minuteMs;
const pointsLifetime = 24 * hourMs - minuteMs;

export interface StalePrices {
  readonly items: boolean;
  readonly points: boolean;
}

/** The prices that were never read, or too long ago. */
export async function findStalePrices({ database, now }: Context): Promise<StalePrices> {
  const items = await findItemsRead(database.query);
  const points = await findPointsPrice(database.query);
  const isOld = (at: Date | undefined | null, lifetime: number) =>
    !at || now().getTime() - at.getTime() >= lifetime;
  return { items: isOld(items, itemsLifetime), points: isOld(points?.at, pointsLifetime) };
}

/**
 * Reads what has aged, with a lent key each, at the cost of one call each. A price that the game does not give stays as it was
 * last known.
 * @returns how many items and prices of points were read, and whether a key was missing
 * @throws GameCallError
 */
export async function refreshStalePrices(ctx: Context, stale: StalePrices) {
  const items = stale.items ? await refreshItems(ctx) : { items: 0 };
  const points = stale.points ? await refreshPointsPrice(ctx) : { points: 0 };
  return { items: 0, points: 0, ...items, ...points, withoutKey: items && points ? 0 : 1 };
}

const refreshItems = (ctx: Context) =>
  tryKeys(ctx, { of: "lenders", reads: selectionsOf.items }, async (key) => {
    const items = await callGame(ctx, {
      key,
      priority: "background",
      call: (game, text) => game.items(text),
    });
    await saveItems(ctx.database.query, items.map(inWholeMoney), ctx.now());
    return { items: items.length, ...countUnreadable(items) };
  });

const refreshPointsPrice = (ctx: Context) =>
  tryKeys(ctx, { of: "lenders", reads: selectionsOf.pointsPrice }, async (key) => {
    const price = await callGame(ctx, {
      key,
      priority: "background",
      call: (game, text) => game.pointsPrice(text),
    });
    if (price !== null) await savePointsPrice(ctx.database.query, price, ctx.now());
    return { points: price === null ? 0 : 1 };
  });

/** An average may have a fraction, which nobody can pay. */
const inWholeMoney = <Priced extends { readonly marketPrice: number | null }>(
  item: Priced,
): Priced => ({
  ...item,
  marketPrice: item.marketPrice === null ? null : Math.round(item.marketPrice),
});
