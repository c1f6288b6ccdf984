import type { Context } from "#server/context";
import { type GameCallErrorKind, isGameCallError } from "#server/game/game-call-error";
import { minuteMs } from "#server/platform/durations";
import { callGame } from "#server/users/keys/call-game";
import type { GameKey } from "#server/users/keys/pick-key";
import { insertHistory, listStocksWithoutHistory, markHistoryAsked, tickRetention } from "./store";

/** Answers that will not be different next time: the game gives no past of this stock. */
const final: readonly GameCallErrorKind[] = ["unexpected-answer", "our-bug", "unknown-id", "access-level"];

export interface HistoryQuery {
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
export async function fillHistory(ctx: Context, { key, most, signal }: HistoryQuery): Promise<number> {
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
    return await callGame(ctx, { key, priority: "background", call: (game, text) => game.stockHistory(text, stockId) });
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
    .map(({ at, price }) => ({ at: new Date(Math.floor(at.getTime() / minuteMs) * minuteMs), price }));
}
