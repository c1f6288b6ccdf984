import type { Context } from "#server/context";
import { recordEvents } from "#server/event-log/record-events";
import { unreadableCountsOf } from "#server/game/contract/rows";
import type { Stock } from "#server/game/contract/torn";
import type { Counts } from "#server/jobs/job";
import { hourMs, minuteMs, startOfMinute, toUnixSeconds } from "#server/platform/time";
import { callGame } from "#server/users/keys/call-game";
import type { GameKey } from "#server/users/keys/pick-key";
import { stocksTick } from "./events";
import {
  findNewestTickTime,
  insertTicks,
  listKnownStocks,
  noteMissing,
  resetHistoryAsked,
  saveNewestTick,
} from "./store";

/** Milliseconds into the minute. The game publishes a tick after two to four seconds. */
const readAt = 5_000;

/** Cache time of answers while a tick is late, in milliseconds. */
const lateAnswer = 1_000;

/** The newest tick that is surely published: a minute's tick counts from its fifth second on. */
export const tickTimeAt = (now: Date): Date => startOfMinute(new Date(now.getTime() - readAt));

export const nextTickReadAt = (now: Date): Date =>
  new Date(tickTimeAt(now).getTime() + minuteMs + readAt);

/** Null if the answer may belong to this minute's tick or to the one before. */
export function tickOfAnswer({ asked, answered }: { asked: Date; answered: Date }): Date | null {
  const tick = startOfMinute(answered);
  return asked.getTime() >= tick.getTime() + readAt ? tick : null;
}

/** An answer is fresh until the next tick, or for one second while a tick is late. */
export function tickFreshUntil(newest: Date | undefined, now: Date): Date {
  if (!newest) return now;
  const inTime = newest.getTime() >= tickTimeAt(now).getTime();
  return inTime ? nextTickReadAt(now) : new Date(now.getTime() + lateAnswer);
}

/**
 * Costs one call.
 * @returns a count under `complete`, `partial`, or `unclear` (nothing stored)
 * @throws GameCallError
 */
export async function refreshTick(ctx: Context, key: GameKey): Promise<Counts> {
  const asked = ctx.now();
  if (!tickOfAnswer({ asked, answered: asked })) return { unclear: 1 };
  const seen = await callGame(ctx, {
    key,
    priority: "background",
    call: (game, text) => game.stocks(text),
  });
  const at = tickOfAnswer({ asked, answered: ctx.now() });
  if (!at) return { unclear: 1 };
  const complete = await recordTick(ctx, { at, seen });
  return { [complete ? "complete" : "partial"]: 1, ...unreadableCountsOf(seen) };
}

/** Milliseconds. After a longer gap between ticks the charts are read again. */
const gap = hourMs;

/** Idempotent. A partial tick goes only to the history. @returns true for a complete tick */
export async function recordTick(
  ctx: Context,
  { at, seen }: { at: Date; seen: readonly Stock[] },
): Promise<boolean> {
  // An empty answer is not evidence of missing stocks.
  if (seen.length === 0) return false;
  // Sorted by id for a fixed lock order.
  const byId = new Map(seen.map((stock) => [stock.stockId, stock]));
  const quotes = [...byId.values()].sort((a, b) => a.stockId - b.stockId);
  return ctx.database.transaction(async (tx) => {
    const before = await findNewestTickTime(tx);
    const missing = (await listKnownStocks(tx)).filter(({ stockId }) => !byId.has(stockId));
    const complete = !missing.some((stock) => isStillListed(stock, at));
    if (complete) await saveNewestTick(tx, quotes, at);
    await noteMissing(
      tx,
      missing.map(({ stockId }) => stockId),
      at,
    );
    await insertTicks(
      tx,
      quotes.map(({ stockId, price }) => ({ stockId, at, price })),
    );
    if (!complete) return false;
    if (before && at.getTime() - before.getTime() > gap) await resetHistoryAsked(tx);
    if (!before || at > before)
      await recordEvents(ctx, tx, [
        { type: stocksTick, subject: "stocks", data: { tick: toUnixSeconds(at) } },
      ]);
    return true;
  });
}

/** Milliseconds. A stock missing this long is delisted; faults of the game end sooner. */
const delistedAfter = hourMs;

export const isStillListed = (
  { missingSince }: { readonly missingSince: Date | null },
  now: Date,
): boolean => missingSince === null || now.getTime() - missingSince.getTime() < delistedAfter;
