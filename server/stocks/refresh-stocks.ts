import type { Context } from "#server/context";
import { type GameCallErrorKind, isGameCallError } from "#server/game/game-call-error";
import { selectionsOf } from "#server/game/selections";
import type { Job } from "#server/jobs/job";
import { startOfMinute } from "#server/platform/time";
import { callGame, tryKeys } from "#server/users/keys/call-game";
import { type GameKey, pickKey } from "#server/users/keys/pick-key";
import {
  countHistories,
  insertHistory,
  listStocksWithoutHistory,
  markHistoryAsked,
} from "./history-store";
import { readTick } from "./read-tick";
import { findStalePrices, refreshStalePrices } from "./refresh-prices";
import { tickRetention } from "./store";

const lentForStocks = { of: "lenders", reads: selectionsOf.stocks } as const;

/** Stocks whose past is read in one minute: all of them in five, well within what background work may spend of a key. */
const pastsAMinute = 7;

/** Reads every minute's tick of the stock market, with the key of somebody who lends it for public data. */
export const refreshStocks: Job = {
  name: "refresh-stocks",
  // The game publishes a minute's tick at its second to fourth second.
  cadence: { cron: "5 * * * * *" },
  budget: 1 + pastsAMinute,
  run: async (ctx, { signal }) => {
    const read = await tryKeys(ctx, lentForStocks, async (key) => {
      const tick = await readTick(ctx, key);
      return { ...tick, histories: await fillHistory(ctx, { key, most: pastsAMinute, signal }) };
    });
    const none = { complete: 0, partial: 0, unclear: 0, histories: 0 };
    return { ...none, withoutKey: read ? 0 : 1, ...read };
  },
};

/** Pasts of stocks that are read with one key, out of the 30 calls a minute that background work may make with it. */
const pastsWithOneKey = 7;

/**
 * Reads the stock market with the pasts of all stocks, and what things cost, as their jobs do bit by bit.
 * @returns whether all of it was read; not in the first seconds of a minute, which belong to no tick for certain
 */
export async function readMarket(ctx: Context, signal: AbortSignal): Promise<boolean> {
  const on = ctx.database.query;
  const lentKey = () => pickKey(ctx, lentForStocks);
  await refreshStalePrices(ctx, await findStalePrices(ctx));
  const key = await lentKey();
  if (!key) return false;
  if ((await countHistories(on)).stocks === 0) await readTick(ctx, key);
  for (let { stocks, asked } = await countHistories(on); ; ) {
    if (stocks > 0 && asked === stocks) return true;
    const reader = await lentKey();
    if (signal.aborted || !reader) return false;
    await fillHistory(ctx, { key: reader, most: pastsWithOneKey, signal });
    const before = asked;
    ({ stocks, asked } = await countHistories(on));
    if (asked <= before) return false;
  }
}

/** Answers that will not be different next time: the game gives no past of this stock. */
const final: readonly GameCallErrorKind[] = [
  "unexpected-answer",
  "our-bug",
  "unknown-id",
  "access-level",
];

interface HistoryQuery {
  readonly key: GameKey;
  /** Stocks to ask about, a call each. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/**
 * Reads the past of some stocks from their charts, so that movers have something to compare with before a month is over. Each
 * stock is asked about once, and again after a gap. A failure ends the round: the rest is asked about next time.
 * @returns the stocks of which the past is known now
 */
async function fillHistory(ctx: Context, { key, most, signal }: HistoryQuery): Promise<number> {
  let filled = 0;
  for (const stockId of await listStocksWithoutHistory(ctx.database.query, most)) {
    if (signal.aborted) break;
    const points = await readHistory(ctx, key, stockId);
    if (points === "later") break;
    const now = ctx.now();
    await ctx.database.transaction(async (tx) => {
      await insertHistory(tx, stockId, keepable(points, now));
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
    return final.includes(error.kind) ? [] : "later";
  }
}

/** The points of the past month, one a minute. */
function keepable(points: readonly { at: Date; price: number }[], now: Date) {
  const oldest = now.getTime() - tickRetention;
  return points
    .filter(({ at, price }) => price > 0 && at.getTime() > oldest && at.getTime() <= now.getTime())
    .map(({ at, price }) => ({ at: startOfMinute(at), price }));
}
