import type { Context } from "#server/context";
import { gameCallErrorKinds, isGameCallError } from "#server/game/game-call-error";
import { selectionsByCall } from "#server/game/selections";
import type { Job } from "#server/jobs/job";
import { startOfMinute } from "#server/platform/time";
import { callGame, tryKeys } from "#server/users/keys/call-game";
import { type GameKey, pickKey } from "#server/users/keys/pick-key";
import { refreshTick } from "./read-tick";
import { refreshStalePrices } from "./refresh-prices";
import {
  insertTicks,
  listStocksWithoutHistory,
  markHistoryAsked,
  readHistoryProgress,
  tickRetention,
} from "./store";

const lentForStocks = { of: "lenders", reads: selectionsByCall.stocks } as const;

/** A key has 30 background calls a minute. At this rate all histories take five minutes. */
const pastsAMinute = 7;

export const refreshStocksJob: Job = {
  name: "refresh-stocks",
  cadence: { cron: "5 * * * * *" },
  budget: 1 + pastsAMinute,
  run: async (ctx, { signal }) => {
    const read = await tryKeys(ctx, lentForStocks, async (key) => {
      const tick = await refreshTick(ctx, key);
      return { ...tick, histories: await fillHistory(ctx, key, signal) };
    });
    const none = { complete: 0, partial: 0, unclear: 0, histories: 0 };
    return { ...none, withoutKey: read ? 0 : 1, ...read };
  },
};

/**
 * @returns false if incomplete, as always in the first seconds of a minute, which have no certain
 * tick
 */
export async function refreshMarket(ctx: Context, signal: AbortSignal): Promise<boolean> {
  const on = ctx.database.query;
  const lentKey = () => pickKey(ctx, lentForStocks);
  await refreshStalePrices(ctx);
  const key = await lentKey();
  if (!key) return false;
  if ((await readHistoryProgress(on)).stocks === 0) await refreshTick(ctx, key);
  for (let { stocks, asked } = await readHistoryProgress(on); ; ) {
    if (stocks > 0 && asked === stocks) return true;
    const reader = await lentKey();
    if (signal.aborted || !reader) return false;
    await fillHistory(ctx, reader, signal);
    const before = asked;
    ({ stocks, asked } = await readHistoryProgress(on));
    if (asked <= before) return false;
  }
}

/**
 * Reads charts, so that movers have start prices from the beginning. A temporary failure ends the
 * round.
 * @returns the number of stocks read
 */
async function fillHistory(ctx: Context, key: GameKey, signal: AbortSignal): Promise<number> {
  let filled = 0;
  for (const stockId of await listStocksWithoutHistory(ctx.database.query, pastsAMinute)) {
    if (signal.aborted) break;
    const points = await readHistory(ctx, key, stockId);
    if (points === "later") break;
    const now = ctx.now();
    await ctx.database.transaction(async (tx) => {
      await insertTicks(
        tx,
        keepable(points, now).map((point) => ({ stockId, ...point })),
      );
      await markHistoryAsked(tx, stockId, now);
    });
    if (points.length > 0) filled++;
  }
  return filled;
}

async function readHistory(ctx: Context, key: GameKey, stockId: number) {
  try {
    return await callGame(ctx, {
      key,
      priority: "background",
      call: (game, text) => game.stockHistory(text, stockId),
    });
  } catch (error) {
    if (!isGameCallError(error)) throw error;
    ctx.log.info({ stockId, kind: error.kind }, "the past of a stock could not be read");
    // The game has no history of this stock, or the key may not read it: do not ask each minute.
    const { kind } = error;
    return gameCallErrorKinds[kind].concerns === "question" || kind === "access-level"
      ? []
      : "later";
  }
}

function keepable(points: readonly { at: Date; price: number }[], now: Date) {
  const oldest = now.getTime() - tickRetention;
  return points
    .filter(({ at, price }) => price > 0 && at.getTime() > oldest && at.getTime() <= now.getTime())
    .map(({ at, price }) => ({ at: startOfMinute(at), price }));
}
