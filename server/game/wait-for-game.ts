import type { Ids } from "#server/platform/ids";
import { isTimeout, within } from "#server/platform/within";
import type { Priority } from "./budget";
import { type GameCallErrorKind, gameCallError } from "./game-call-error";

/** Milliseconds. Several calls may be needed, and each may take six seconds: the caller gets an answer of ours before that. */
const longestWait = 7_000;

/**
 * Waits for all that is asked of the game in somebody's presence, however many calls it takes. What comes later is still stored.
 * @throws GameCallError of kind `timeout`, and whatever the work throws before
 */
export async function waitForGame<T>(work: Promise<T>): Promise<T> {
  try {
    return await within(longestWait, work);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw gameCallError({ kind: "timeout", detail: `not all answers within ${longestWait} ms` });
  }
}

/** How a failed call is tried again. */
export interface SecondTry {
  /** Milliseconds to wait before it, never twice the same, so that callers who failed together do not come back together. */
  readonly pauseMs: () => number;
  /** Milliseconds since some moment. */
  readonly elapsed: () => number;
}

/** Faults that may be gone a moment later. Of all others the next call would be refused the same way. */
const passing: ReadonlySet<GameCallErrorKind> = new Set(["server-side", "network", "timeout"]);

/** Milliseconds after which a question has waited too long for another try, by who waits for it. */
const timeoutMs: Readonly<Record<Priority, number>> = {
  ...{ user: 2_000, guest: 2_000 },
  ...{ high: 7_000, background: 7_000 },
};

/** Whether a call that failed after `elapsedMs` may be made once more. */
export const mayTryAgain = (kind: GameCallErrorKind, priority: Priority, elapsedMs: number): boolean =>
  passing.has(kind) && elapsedMs < timeoutMs[priority];

/** A second try after 100 to 355 milliseconds. */
export const jitteredSecondTry = (ids: Pick<Ids, "bytes">): SecondTry => ({
  pauseMs: () => 100 + (ids.bytes(1)[0] ?? 0),
  elapsed: () => performance.now(),
});
