import type { Context } from "#server/context";
import { exhaustBudget, type Priority, spendCall } from "#server/game/budget";
import type { GameClient } from "#server/game/client";
import { type GameCallError, isGameCallError } from "#server/game/game-call-error";
import { mayTryAgain } from "#server/game/wait-for-game";
import { hourSeconds, secondMs } from "#server/platform/time";
import { actOnKey, wouldEndFactionAccess } from "./act-on-key";
import type { GameKey } from "./pick-key";
import { wakeKey } from "./store";

export interface GameCall<T> {
  readonly key: GameKey;
  readonly priority: Priority;
  /** Makes exactly one call. It may be made twice. */
  readonly call: (game: GameClient, key: string) => Promise<T>;
}

/** How old "last worked" may grow before a success is written down again: a write per call would be a write too many. */
const workedAgainAfterSeconds = hourSeconds;

/**
 * Asks the game with somebody's key, at the cost of one call of their budget; of two, where the first failed for a reason that may
 * be gone a moment later. A refusal that concerns the key is acted on. Never call it in a transaction.
 * @throws GameCallError as the client does, and `owner-budget` where the budget is spent
 */
export async function callGame<T>(ctx: Context, question: GameCall<T>): Promise<T> {
  const { key } = question;
  let answer: T;
  try {
    answer = await callWithRetry(ctx, question);
  } catch (error) {
    if (isGameCallError(error)) await act(ctx, question, error);
    throw error;
  }
  const now = ctx.now();
  const lastOk = key.lastOkAt?.getTime() ?? 0;
  if (key.id !== null && now.getTime() - lastOk > workedAgainAfterSeconds * secondMs)
    await wakeKey(ctx.database.query, key.id, now);
  return answer;
}

async function callOnce<T>(ctx: Context, { key, priority, call }: GameCall<T>): Promise<T> {
  // While the game is away nobody pays for calls that are not made.
  const away = ctx.game.refusal();
  if (away) throw away;
  await spendCall(ctx, key.playerId, priority);
  return call(ctx.game, key.reveal());
}

async function callWithRetry<T>(ctx: Context, question: GameCall<T>): Promise<T> {
  const { secondTry } = ctx.game;
  const begun = secondTry?.elapsed() ?? 0;
  try {
    return await callOnce(ctx, question);
  } catch (error) {
    const again =
      secondTry && isGameCallError(error) && mayTryAgain(error.kind, question.priority, secondTry.elapsed() - begun);
    // A refusal of our own, before the game was asked, names no selection.
    if (!again || error.selection === undefined) throw error;
    await new Promise((resolve) => setTimeout(resolve, secondTry.pauseMs()));
    if (ctx.game.refusal()) throw error;
    return await callOnce(ctx, question).catch((second: unknown) => {
      // Where the budget allows no second try the first refusal stands.
      throw isGameCallError(second) && second.kind === "owner-budget" && second.gameCode === undefined ? error : second;
    });
  }
}

/** @param error the refusal; one of our own budget or breaker says nothing about the key */
async function act(
  ctx: Context,
  { key, priority }: Omit<GameCall<unknown>, "call">,
  error: GameCallError,
): Promise<void> {
  const { kind, gameCode, selection } = error;
  if (selection === undefined) return;
  if (kind === "our-bug" || kind === "ip-block" || kind === "front-refusal")
    ctx.log.error({ kind, gameCode, detail: error.message }, "the game refuses us");
  if (kind === "owner-budget") await exhaustBudget(ctx, key.playerId);
  if (key.id !== null && wouldEndFactionAccess(error) && !(await lostFactionAccess(ctx, { key, priority }))) return;
  await actOnKey(ctx, key, error);
}

/**
 * Asks the game once whether the owner's position grants faction API access: "private" is also its word for single selections.
 * Where the game does not say, nothing is known to have changed, and the next refusal asks again.
 */
async function lostFactionAccess(ctx: Context, { key, priority }: Omit<GameCall<unknown>, "call">): Promise<boolean> {
  try {
    const info = await callOnce(ctx, { key, priority, call: (game, text) => game.keyInfo(text) });
    return !info.factionApiAccess;
  } catch (error) {
    if (!isGameCallError(error)) throw error;
    await act(ctx, { key, priority }, error);
    return false;
  }
}
