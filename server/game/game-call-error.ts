import { isUpstreamError, type UpstreamError, upstreamError } from "#server/platform/upstream";
import { isTimeout, within } from "#server/platform/within";

interface KindFacts {
  /** What must change before the same call works: the game's state, the key, or the question. */
  readonly concerns: "game" | "key" | "question";
  readonly codes?: readonly number[];
  readonly isTransient?: true;
  /** The operator must act, so the failure is logged as an error. */
  readonly alerts?: true;
  /** Seconds until the limit resets, if the answer has no Retry-After. */
  readonly wait?: number;
  /** `details.reason` and message of our answers. */
  readonly limit?: { readonly reason: string; readonly message: string };
  /** Shown to operators after "The last failure was …:". */
  readonly words?: string;
}

const kinds = {
  "server-side": {
    concerns: "game",
    codes: [0, 9, 12, 15, 17, 24],
    isTransient: true,
    words: "it reported a fault",
  },
  network: { concerns: "game", isTransient: true, words: "the connection failed" },
  timeout: { concerns: "game", isTransient: true, words: "no answer in time" },
  "ip-block": {
    concerns: "game",
    codes: [8],
    alerts: true,
    wait: 60,
    limit: {
      reason: "address_budget",
      message: "The game takes no more calls from this service for now.",
    },
    words: "it blocked our address",
  },
  "front-refusal": { concerns: "game", alerts: true, words: "it refused a call (403)" },
  "key-dead": { concerns: "key", codes: [1, 2] },
  "key-paused": { concerns: "key", codes: [18] },
  /** The owner is in federal jail or was offline for more than seven days. */
  "owner-unavailable": { concerns: "key", codes: [10, 13] },
  "key-just-changed": {
    concerns: "key",
    codes: [11],
    wait: 60,
    limit: {
      reason: "key_changed",
      message:
        "The player changed the game key a moment ago. The game answers it again in a minute.",
    },
  },
  "owner-budget": {
    concerns: "key",
    codes: [5],
    wait: 60,
    limit: {
      reason: "key_budget",
      message:
        "The calls of the game key for this minute are used up. The game itself is available.",
    },
  },
  "daily-limit": {
    concerns: "key",
    codes: [14],
    limit: {
      reason: "read_limit",
      message:
        "The game key has read as much of this kind as the game allows. It can read more later.",
    },
  },
  /** For faction data: the owner has no faction API access. */
  "private-selection": { concerns: "key", codes: [7] },
  "access-level": { concerns: "key", codes: [16] },
  /** No such player or faction, or an unlinked chat id. */
  "unknown-id": { concerns: "question", codes: [6] },
  /** The faction is on the old crimes. */
  "not-migrated": { concerns: "question", codes: [19, 27] },
  "our-bug": {
    concerns: "question",
    codes: [3, 4, 20, 21, 22, 23, 25, 26, 28, 29, 30],
    alerts: true,
  },
  "unexpected-answer": {
    concerns: "question",
    words: "it sent an answer that cannot be read",
  },
} as const satisfies Readonly<Record<string, KindFacts>>;

export type GameCallErrorKind = keyof typeof kinds;

export const gameCallErrorKinds: Readonly<Record<GameCallErrorKind, KindFacts>> = kinds;

const kindByCode = new Map(
  (Object.keys(kinds) as GameCallErrorKind[]).flatMap((kind) =>
    (gameCallErrorKinds[kind].codes ?? []).map((code) => [code, kind] as const),
  ),
);

export const kindOfGameCode = (code: number): GameCallErrorKind =>
  kindByCode.get(code) ?? "unexpected-answer";

export type GameCallError = UpstreamError & {
  readonly upstream: "game";
  readonly kind: GameCallErrorKind;
  /**
   * Without ids: `faction/attacks`. Absent if we refused the call because of a budget, the breaker
   * or a key in backoff.
   */
  readonly selection?: string;
  readonly gameCode?: number;
};

/** `detail` is logged, so it must not contain the key. */
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

/** True if the next call would fail too. */
export const isOutage = (kind: GameCallErrorKind): boolean =>
  gameCallErrorKinds[kind].concerns === "game";

/** True if the caller is not charged, because the game failed or was not called. */
export const isUncharged = (error: unknown): boolean =>
  isGameCallError(error) &&
  (isOutage(error.kind) || error.kind === "unexpected-answer" || error.selection === undefined);

/** Milliseconds. A caller may need several calls of up to six seconds. */
const longestWait = 7_000;

/**
 * Bounds the wait of a caller for any number of calls; late results are still stored.
 * @throws GameCallError of kind `timeout`, or the error of the work
 */
export async function withGameTimeout<T>(work: Promise<T>): Promise<T> {
  try {
    return await within(longestWait, work);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw gameCallError({ kind: "timeout", detail: `not all answers within ${longestWait} ms` });
  }
}
