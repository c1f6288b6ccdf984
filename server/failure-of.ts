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
  type GameCallErrorKind,
  isGameCallError,
} from "./game/game-call-error";
import { describeError, isConnectionLost } from "./platform/errors";
import type { Log } from "./platform/log";

const passing: ReadonlySet<GameCallErrorKind> = new Set([
  "network",
  "server-side",
  "ip-block",
  "front-refusal",
  "owner-budget",
  "key-just-changed",
  "daily-limit",
]);

/** `details.reason`, and its sentence. */
const limits: Readonly<
  Partial<Record<GameCallErrorKind, { readonly reason: string; readonly message: string }>>
> = {
  "owner-budget": {
    reason: "key_budget",
    message: "The calls of the game key for this minute are used up. The game itself is available.",
  },
  "ip-block": {
    reason: "address_budget",
    message: "The game takes no more calls from this service for now.",
  },
  "daily-limit": {
    reason: "read_limit",
    message:
      "The game key has read as much of this kind as the game allows. It can read more later.",
  },
  "key-just-changed": {
    reason: "key_changed",
    message: "The player changed the game key a moment ago. The game answers it again in a minute.",
  },
};

export const describeLimit = (reason: string): string | undefined =>
  Object.values(limits).find((limit) => limit.reason === reason)?.message;

/** 4101 if waiting helps, else 4100. Verbs translate finer kinds first. */
export function failureOfGame(error: GameCallError): Failure {
  const limit = limits[error.kind];
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
  return (passing.has(error.kind) ? GameUnavailable : GameError).because(why);
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
  const fields = { ...call, failureCode: kind.code, error: describeError(cause) };
  if (kind.status === 500) log.error(fields, "a call failed");
  else log.warn(fields, "a call could not be carried out");
}
