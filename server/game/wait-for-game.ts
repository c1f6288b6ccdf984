import { isTimeout, within } from "#server/platform/within";
import { gameError } from "./game-error";

/** Milliseconds. Several calls may be needed, and each may take six seconds: the caller gets an answer of ours before that. */
const longestWait = 7_000;

/**
 * Waits for all that is asked of the game in somebody's presence, however many calls it takes. What comes later is still stored.
 * @throws GameError of kind `timeout`, and whatever the work throws before
 */
export async function waitForGame<T>(work: Promise<T>): Promise<T> {
  try {
    return await within(longestWait, work);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw gameError({ kind: "timeout", detail: `not all answers within ${longestWait} ms` });
  }
}
