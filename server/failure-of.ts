import {
  BackendError,
  type Failure,
  GameError,
  GameTimeout,
  GameUnavailable,
  isFailure,
  ServiceUnavailable,
} from "./failures";
import {
  type GameCallError,
  gameCallErrorKinds,
  isGameCallError,
  isOutage,
} from "./game/game-call-error";
import { isConnectionLost, serializeError } from "./platform/errors";
import type { Log } from "./platform/log";

export const describeLimit = (reason: string): string | undefined =>
  Object.values(gameCallErrorKinds).find(({ limit }) => limit?.reason === reason)?.limit?.message;

/** 4101 if waiting helps, else 4100. Verbs translate finer kinds before this. */
export function failureOfGame(error: GameCallError): Failure {
  const { limit } = gameCallErrorKinds[error.kind];
  const details = {
    ...(limit && { reason: limit.reason }),
    ...(error.gameCode !== undefined && { game_code: error.gameCode }),
  };
  const why = {
    cause: error,
    message: limit?.message,
    retryAfter: error.retryAfter,
    ...(Object.keys(details).length > 0 && { details }),
  };
  if (error.kind === "timeout") return GameTimeout.because(why);
  return (limit || isOutage(error.kind) ? GameUnavailable : GameError).because(why);
}

export function failureOf(thrown: unknown): Failure {
  if (isFailure(thrown)) return thrown;
  if (isGameCallError(thrown)) return failureOfGame(thrown);
  if (isConnectionLost(thrown)) return ServiceUnavailable.because({ cause: thrown });
  return BackendError.because({ cause: thrown });
}

export function logFailure(
  log: Log,
  { kind, cause }: Failure,
  call: { readonly requestId: string; readonly route?: string | undefined },
): void {
  const fields = { ...call, failureCode: kind.code, error: serializeError(cause) };
  if (kind.status === 500) log.error(fields, "a call failed");
  else log.warn(fields, "a call could not be carried out");
}
