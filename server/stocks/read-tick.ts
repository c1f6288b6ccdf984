import type { Context } from "#server/context";
import { countUnreadable } from "#server/game/contract/rows";
import type { Counts } from "#server/jobs/job";
import { minuteMs } from "#server/platform/durations";
import { callGame } from "#server/users/keys/call-game";
import type { GameKey } from "#server/users/keys/pick-key";
import { recordTick } from "./record-tick";

/** The game publishes a minute's tick two to four seconds after the minute began, so it is read at this second. */
const readAt = 5_000;

/** How long an answer holds while a tick is late: it may come at any moment. */
const lateAnswer = 1_000;

/** The tick that is the newest of the game's for certain: the clock minute, from its fifth second on. */
export const tickOf = (now: Date): Date => new Date(Math.floor((now.getTime() - readAt) / minuteMs) * minuteMs);

/** When the tick after it is read. */
export const nextSync = (now: Date): Date => new Date(tickOf(now).getTime() + minuteMs + readAt);

/**
 * The tick that an answer of the game shows, from when it was asked to when it was there; null where the minute turned in
 * between or had barely begun, so that it may be this tick or the one before.
 */
export function tickShown({ asked, answered }: { asked: Date; answered: Date }): Date | null {
  const began = Math.floor(answered.getTime() / minuteMs) * minuteMs;
  return asked.getTime() >= began + readAt ? new Date(began) : null;
}

/** Until when what is said of the newest stored tick holds: until the next one, or a moment where that is late. */
export function holdsUntil(newest: Date | undefined, now: Date): Date {
  if (!newest) return now;
  const inTime = newest.getTime() >= tickOf(now).getTime();
  return inTime ? nextSync(now) : new Date(now.getTime() + lateAnswer);
}

/**
 * Reads the stocks as they are this minute, at the cost of one call.
 * @returns what became of the tick, as a count: `complete`, `partial`, or `unclear` where the minute was too young or turned meanwhile: nothing is stored then
 * @throws GameError
 */
export async function readTick(ctx: Context, key: GameKey): Promise<Counts> {
  const asked = ctx.now();
  if (!tickShown({ asked, answered: asked })) return { unclear: 1 };
  const seen = await callGame(ctx, { key, priority: "background", call: (game, text) => game.stocks(text) });
  const at = tickShown({ asked, answered: ctx.now() });
  if (!at) return { unclear: 1 };
  const complete = await recordTick(ctx, { at, seen });
  return { [complete ? "complete" : "partial"]: 1, ...countUnreadable(seen) };
}
