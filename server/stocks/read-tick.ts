import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { countUnreadable } from "#server/game/contract/rows";
import type { Counts } from "#server/jobs/job";
import { hourMs, minuteMs, toUnixSeconds } from "#server/platform/time";
import { callGame } from "#server/users/keys/call-game";
import type { GameKey } from "#server/users/keys/pick-key";
import { stocksTick } from "./events";
import { forgetHistory } from "./history-store";
import {
  findNewestTick,
  insertTicks,
  type KnownStock,
  listKnownStocks,
  noteMissing,
  replaceNewestTick,
  type SeenStock,
  saveStocks,
} from "./store";

/** The game publishes a minute's tick two to four seconds after the minute began, so it is read at this second. */
const readAt = 5_000;

/** How long an answer holds while a tick is late: it may come at any moment. */
const lateAnswer = 1_000;

/** The tick that is the newest of the game's for certain: the clock minute, from its fifth second on. */
export const tickOf = (now: Date): Date =>
  new Date(Math.floor((now.getTime() - readAt) / minuteMs) * minuteMs);

/** The moment at which the following tick is read. */
export const nextSync = (now: Date): Date => new Date(tickOf(now).getTime() + minuteMs + readAt);

/**
 * The tick that an answer of the game shows, from when it was asked to when it was there; null where the minute turned in
 * between or had barely begun, so that it may be this tick or the one before.
 */
export function tickShown({ asked, answered }: { asked: Date; answered: Date }): Date | null {
  const began = Math.floor(answered.getTime() / minuteMs) * minuteMs;
  return asked.getTime() >= began + readAt ? new Date(began) : null;
}

/** The moment until which an answer about the newest stored tick holds: the next tick, or one second on where that is late. */
export function holdsUntil(newest: Date | undefined, now: Date): Date {
  if (!newest) return now;
  const inTime = newest.getTime() >= tickOf(now).getTime();
  return inTime ? nextSync(now) : new Date(now.getTime() + lateAnswer);
}

/**
 * Reads the stocks as they are this minute, at the cost of one call.
 * @returns what became of the tick, as a count: `complete`, `partial`, or `unclear` where the minute was too young or turned meanwhile: nothing is stored then
 * @throws GameCallError
 */
export async function readTick(ctx: Context, key: GameKey): Promise<Counts> {
  const asked = ctx.now();
  if (!tickShown({ asked, answered: asked })) return { unclear: 1 };
  const seen = await callGame(ctx, {
    key,
    priority: "background",
    call: (game, text) => game.stocks(text),
  });
  const at = tickShown({ asked, answered: ctx.now() });
  if (!at) return { unclear: 1 };
  const complete = await recordTick(ctx, { at, seen });
  return { [complete ? "complete" : "partial"]: 1, ...countUnreadable(seen) };
}

/** A tick later than this after the one before means that ticks are missing, which the game's charts may fill; milliseconds. */
const gap = hourMs;

/**
 * Stores what the game showed at a minute, all stocks in one transaction. The newest tick is replaced only by a complete one;
 * what came of a partial one is history all the same. The same minute again changes nothing.
 * @returns whether the tick was complete
 */
export async function recordTick(
  ctx: Context,
  { at, seen }: { at: Date; seen: readonly SeenStock[] },
): Promise<boolean> {
  // An answer without a single stock says nothing of any of them.
  if (seen.length === 0) return false;
  // A stock that an answer names twice counts once; by id, so that two writers meet the rows in one order.
  const quotes = [...new Map(seen.map((stock) => [stock.stockId, stock])).values()];
  quotes.sort((a, b) => a.stockId - b.stockId);
  return ctx.database.transaction(async (tx) => {
    const before = await findNewestTick(tx);
    const missing = missingStocks(
      await listKnownStocks(tx),
      new Set(quotes.map(({ stockId }) => stockId)),
    );
    await saveStocks(tx, quotes, at);
    await noteMissing(
      tx,
      missing.map(({ stockId }) => stockId),
      at,
    );
    await insertTicks(tx, quotes, at);
    const complete = !missing.some((stock) => isStillListed(stock, at));
    if (!complete) return false;
    if (before && at.getTime() - before.getTime() > gap) await forgetHistory(tx);
    await replaceNewestTick(tx, quotes, at);
    if (!before || at > before)
      await recordEvents(ctx, tx, [
        { type: stocksTick, subject: "stocks", data: { tick: toUnixSeconds(at) } },
      ]);
    return true;
  });
}

/** The known stocks that an answer lacks. An answer is whole where none of them is awaited. */
export function missingStocks(
  known: readonly KnownStock[],
  seen: ReadonlySet<number>,
): KnownStock[] {
  return known.filter(({ stockId }) => !seen.has(stockId));
}

/** A stock that answers lack for so long is delisted; milliseconds. A fault of the game is over sooner. */
const delistedAfter = hourMs;

/** Whether a stock that answers lack still belongs to the market. */
export const isStillListed = (
  { missingSince }: Pick<KnownStock, "missingSince">,
  now: Date,
): boolean => missingSince === null || now.getTime() - missingSince.getTime() < delistedAfter;
