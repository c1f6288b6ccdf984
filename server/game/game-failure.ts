import { type Failure, GameError, GameTimeout, GameUnavailable } from "#server/failures";
import type { GameErrorKind, GameError as UpstreamError } from "./game-error";

/** Kinds that pass by themselves: the same call may work a little later. */
const passing: ReadonlySet<GameErrorKind> = new Set([
  "network",
  "server-side",
  "ip-block",
  "owner-budget",
  "key-just-changed",
  "daily-limit",
]);

/**
 * What a failed call to the game is to our own caller: 4101 where waiting helps (504 on a time-out), else 4100.
 * Verbs translate the kinds that mean something finer (an unknown id, a dead key) before it comes to this.
 */
export function failureOfGame(error: UpstreamError): Failure {
  const why = {
    cause: error,
    retryAfter: error.retryAfter,
    ...(error.gameCode === undefined ? {} : { details: { game_code: error.gameCode } }),
  };
  if (error.kind === "timeout") return GameTimeout.because(why);
  return (passing.has(error.kind) ? GameUnavailable : GameError).because(why);
}
