import type { Context } from "#server/context";
import { unreadableCountsOf } from "#server/game/contract/rows";
import { selectionsByCall } from "#server/game/selections";
import type { Counts, Job } from "#server/jobs/job";
import { hourMs, minuteMs } from "#server/platform/time";
import { callGame, tryKeys } from "#server/users/keys/call-game";
import type { GameKey } from "#server/users/keys/pick-key";
import { findItemsReadAt, findPointsPrice, saveItems, savePointsPrice } from "./store";

export const refreshPricesJob: Job = {
  name: "refresh-prices",
  // The job runs more often than prices expire, so that a failed read is retried soon.
  cadence: { everySeconds: 600 },
  budget: 2,
  run: (ctx) => refreshStalePrices(ctx),
};

interface PriceReading {
  /**
   * Milliseconds. Slightly less than four or 24 hours, so that an early run does not skip a
   * reading.
   */
  readonly lifetime: number;
  readonly reads: readonly string[];
  readonly findRead: (ctx: Context) => Promise<Date | null | undefined>;
  readonly read: (ctx: Context, key: GameKey) => Promise<Counts>;
}

const readings: readonly PriceReading[] = [
  {
    lifetime: 4 * hourMs - minuteMs,
    reads: selectionsByCall.items,
    findRead: ({ database }) => findItemsReadAt(database.query),
    read: async (ctx, key) => {
      const items = await callGame(ctx, {
        key,
        priority: "background",
        call: (game, text) => game.items(text),
      });
      await saveItems(ctx.database.query, items, ctx.now());
      return { items: items.length, ...unreadableCountsOf(items) };
    },
  },
  {
    lifetime: 24 * hourMs - minuteMs,
    reads: selectionsByCall.pointsPrice,
    findRead: async ({ database }) => (await findPointsPrice(database.query))?.at,
    read: async (ctx, key) => {
      const price = await callGame(ctx, {
        key,
        priority: "background",
        call: (game, text) => game.pointsPrice(text),
      });
      if (price === null) return { points: 0 };
      await savePointsPrice(ctx.database.query, price, ctx.now());
      return { points: 1 };
    },
  },
];

/** A price that the answer lacks stays as it was. @throws GameCallError */
export async function refreshStalePrices(ctx: Context): Promise<Counts> {
  let counts: Counts = { items: 0, points: 0, withoutKey: 0 };
  for (const { lifetime, reads, findRead, read } of readings) {
    const at = await findRead(ctx);
    if (at && ctx.now().getTime() - at.getTime() < lifetime) continue;
    const done = await tryKeys(ctx, { of: "lenders", reads }, (key) => read(ctx, key));
    counts = { ...counts, ...(done ?? { withoutKey: 1 }) };
  }
  return counts;
}
