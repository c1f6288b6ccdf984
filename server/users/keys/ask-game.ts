import type { Context } from "#server/context";
import { type Priority, spendCall } from "#server/game/budget";
import type { GameClient } from "#server/game/client";
import { isGameError } from "#server/game/game-error";
import { actOnKey } from "./act-on-key";
import type { OpenKey } from "./open-key";
import { wakeKey } from "./store";

export interface Question<T> {
  readonly key: OpenKey;
  readonly priority: Priority;
  /** Makes exactly one call. */
  readonly call: (game: GameClient, key: string) => Promise<T>;
}

/** How old "last worked" may grow before a success is written down again: a write per call would be a write too many. */
const workedAgainAfterSeconds = 3_600;

/**
 * Asks the game with somebody's key, at the cost of one call of their budget. A refusal that concerns the key is acted on.
 * @throws GameError as the client does, and `owner-budget` where the budget is spent
 */
export async function askGame<T>(ctx: Context, { key, priority, call }: Question<T>): Promise<T> {
  await spendCall(ctx.limiter, key.playerId, priority);
  let answer: T;
  try {
    answer = await call(ctx.game, key.reveal());
  } catch (error) {
    if (isGameError(error)) {
      if (error.kind === "our-bug" || error.kind === "ip-block")
        ctx.log.error({ kind: error.kind, gameCode: error.gameCode, detail: error.message }, "the game refuses us");
      await actOnKey(ctx, key, error.kind);
    }
    throw error;
  }
  const now = ctx.now();
  const lastOk = key.lastOkAt?.getTime() ?? 0;
  if (key.id !== null && now.getTime() - lastOk > workedAgainAfterSeconds * 1_000)
    await wakeKey(ctx.database.query, key.id, now);
  return answer;
}
