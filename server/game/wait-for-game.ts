import type { Ids } from "#server/platform/ids";
import { isTimeout, within } from "#server/platform/within";
import { gameCallError } from "./game-call-error";

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

/** A second try after 100 to 355 milliseconds. */
export const jitteredSecondTry = (ids: Pick<Ids, "bytes">): SecondTry => ({
  pauseMs: () => 100 + (ids.bytes(1)[0] ?? 0),
  elapsed: () => performance.now(),
});
