import type { Limiter } from "#server/platform/limiter/limiter";
import { gameError } from "./game-error";

/** Why the game is asked: because somebody waits for the answer, because rights hang on it, or to keep data fresh. */
export type Priority = "user" | "high" | "background";

/** Calls a minute per player over all their keys. The game allows 100; the rest is left to the player's other tools. */
const callsPerMinute = 60;

/** How much of the budget each priority may fill: the last 30 % are for those who wait. */
const shares: Readonly<Record<Priority, number>> = { user: 1, high: 0.7, background: 0.5 };

/** @returns the calls left to `playerId` this minute at this priority, never below 0 */
export async function callsLeft(limiter: Limiter, playerId: number, priority: Priority): Promise<number> {
  const { remaining } = await limiter.peek(windowOf(playerId));
  return Math.max(0, remaining - reserveAbove(priority));
}

/**
 * Charges one call to the budget of the player who owns the key, shared by all instances where the limiter is.
 * @throws GameError `owner-budget` with the seconds until the budget is full again; the game is not asked then
 */
export async function spendCall(limiter: Limiter, playerId: number, priority: Priority): Promise<void> {
  const window = windowOf(playerId);
  // Looking and taking are two steps: a race may eat into the reserve, but never exceeds the budget.
  const before = await limiter.peek(window);
  const state = before.remaining > reserveAbove(priority) ? await limiter.take(window) : { ...before, allowed: false };
  if (state.allowed) return;
  throw gameError({
    kind: "owner-budget",
    retryAfter: state.reset,
    detail: `our own budget for player ${playerId} at priority ${priority} is spent`,
  });
}

const windowOf = (playerId: number) => ({ policy: "game", subject: String(playerId), limit: callsPerMinute });

const reserveAbove = (priority: Priority) => Math.round(callsPerMinute * (1 - shares[priority]));
