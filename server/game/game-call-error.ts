import { isUpstreamError, type UpstreamError, upstreamError } from "#server/platform/upstream";

/**
 * Callers decide by the kind alone: `key-dead` deletes the key, `owner-budget` waits, `our-bug`
 * alerts and is never retried.
 */
export type GameCallErrorKind =
  | "server-side"
  | "key-dead"
  | "our-bug"
  | "owner-budget"
  | "unknown-id"
  | "private-selection"
  | "ip-block"
  | "front-refusal"
  | "owner-unavailable"
  | "key-just-changed"
  | "daily-limit"
  | "access-level"
  | "key-paused"
  | "not-migrated"
  | "network"
  | "timeout"
  | "unexpected-answer";

/** Never contains the key. */
export type GameCallError = UpstreamError & {
  readonly upstream: "game";
  readonly kind: GameCallErrorKind;
  /**
   * Selection without ids: `faction/attacks`. Absent if we refused the call: budget, breaker, key
   * in backoff.
   */
  readonly selection?: string;
  readonly gameCode?: number;
};

/** The documented error codes of the game. */
const kindByCode: Readonly<Record<number, GameCallErrorKind>> = {
  0: "server-side", // unknown error
  1: "key-dead", // key is empty
  2: "key-dead", // incorrect key
  3: "our-bug", // wrong type
  4: "our-bug", // wrong fields
  5: "owner-budget", // too many requests of one player
  6: "unknown-id", // no such player or faction, or an unlinked chat id
  7: "private-selection", // not readable by this owner; for faction data: no faction API access
  8: "ip-block",
  9: "server-side", // API disabled
  10: "owner-unavailable", // owner in federal jail
  11: "key-just-changed", // less than 60 seconds ago
  12: "server-side", // key read error
  13: "owner-unavailable", // owner offline for more than seven days
  14: "daily-limit",
  15: "server-side", // log unavailable
  16: "access-level",
  17: "server-side", // backend error
  18: "key-paused",
  19: "not-migrated", // crimes 2.0
  20: "our-bug", // race not finished: never requested
  21: "our-bug", // wrong category
  22: "our-bug", // only in version 1
  23: "our-bug", // only in version 2
  24: "server-side", // closed temporarily
  25: "our-bug", // no such stat
  26: "our-bug", // category and stats together
  27: "not-migrated", // organized crimes 2.0
  28: "our-bug", // wrong log id
  29: "our-bug", // category not for interaction logs
  30: "our-bug", // file missing
};

/** Undocumented codes count as unexpected answers. */
export function kindOfGameCode(code: number): GameCallErrorKind {
  return kindByCode[code] ?? "unexpected-answer";
}

/** `detail` goes to the log: path and observation, never the key. */
export function gameCallError(what: {
  kind: GameCallErrorKind;
  detail: string;
  gameCode?: number;
  retryAfter?: number;
  selection?: string;
}): GameCallError {
  const { kind, gameCode, retryAfter, selection } = what;
  const fields = {
    name: "GameCallError",
    upstream: "game" as const,
    kind,
    ...(gameCode === undefined ? {} : { gameCode }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(selection === undefined ? {} : { selection }),
  };
  return upstreamError(`${kind}: ${what.detail}`, fields) as GameCallError;
}

export const isGameCallError = (error: unknown): error is GameCallError =>
  isUpstreamError(error, "game");

const outages: readonly GameCallErrorKind[] = [
  "server-side",
  "ip-block",
  "front-refusal",
  "network",
  "timeout",
];

/** The game is unavailable or refuses our address, so the next call would fail too. */
export const isOutage = (kind: GameCallErrorKind): boolean => outages.includes(kind);

/** True for failures of the game or before the call; the caller is not charged. */
export const isUncharged = (error: unknown): boolean =>
  isGameCallError(error) &&
  (isOutage(error.kind) || error.kind === "unexpected-answer" || error.selection === undefined);
