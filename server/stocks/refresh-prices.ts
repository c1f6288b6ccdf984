import type { Context } from "#server/context";
import { countUnreadable } from "#server/game/contract/rows";
import { selectionsOf } from "#server/game/selections";
import type { Job } from "#server/jobs/job";
import { hourMs, minuteMs } from "#server/platform/time";
import { callGame, tryKeys } from "#server/users/keys/call-game";
import { findItemsRead, findPointsPrice, saveItems, savePointsPrice } from "./price-store";

/** Reads item prices every four hours and the point price daily, with lent keys. */
export const refreshPrices: Job = {
  name: "refresh-prices",
  // Runs more often than it reads, so that a failed first read is retried soon.
  cadence: { everySeconds: 600 },
  budget: 2,
  run: async (ctx) => {
    const stale = await findStalePrices(ctx);
    if (!stale.items && !stale.points) return { items: 0, points: 0, withoutKey: 0 };
    return refreshStalePrices(ctx, stale);
  },
};

/** Slightly below the period, so that an early run does not skip a slot. */
const itemsLifetime = 4 * hourMs - minuteMs;
const pointsLifetime = 24 * hourMs - minuteMs;

export interface StalePrices {
  readonly items: boolean;
  readonly points: boolean;
}

export async function findStalePrices({ database, now }: Context): Promise<StalePrices> {
  const items = await findItemsRead(database.query);
  const points = await findPointsPrice(database.query);
  const isOld = (at: Date | undefined | null, lifetime: number) =>
    !at || now().getTime() - at.getTime() >= lifetime;
  return { items: isOld(items, itemsLifetime), points: isOld(points?.at, pointsLifetime) };
}

/**
 * One call and one lent key per stale price. Prices missing in the answer stay.
 * @returns counts, and if a key was missing
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

/** Averages may have fractions. */
const inWholeMoney = <Priced extends { readonly marketPrice: number | null }>(
  item: Priced,
): Priced => ({
  ...item,
  marketPrice: item.marketPrice === null ? null : Math.round(item.marketPrice),
});
