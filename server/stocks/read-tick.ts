import type { Context } from "#server/context";
import { countUnreadable } from "#server/game/contract/rows";
import type { Counts } from "#server/jobs/job";
import { askGame } from "#server/users/keys/ask-game";
import type { OpenKey } from "#server/users/keys/open-key";
import { recordTick } from "./record-tick";
import { tickShown } from "./tick-time";

/**
 * Reads the stocks as they are this minute, at the cost of one call.
 * @returns what became of the tick, as a count: `complete`, `partial`, or `unclear` where the minute was too young or turned meanwhile: nothing is stored then
 * @throws GameError
 */
export async function readTick(ctx: Context, key: OpenKey): Promise<Counts> {
  const asked = ctx.now();
  if (!tickShown({ asked, answered: asked })) return { unclear: 1 };
  const seen = await askGame(ctx, { key, priority: "background", call: (game, text) => game.stocks(text) });
  const at = tickShown({ asked, answered: ctx.now() });
  if (!at) return { unclear: 1 };
  const complete = await recordTick(ctx, { at, seen });
  return { [complete ? "complete" : "partial"]: 1, ...countUnreadable(seen) };
}
