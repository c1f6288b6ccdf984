import { isTimeout, within } from "#server/platform/within";
import { gameCallError } from "./game-call-error";

/**
 * Milliseconds. Several calls of up to six seconds may be needed; the caller gets our answer
 * earlier.
 */
const longestWait = 7_000;

/**
 * Bounds the wait of a caller for any number of calls; late results are still stored.
 * @throws GameCallError of kind `timeout`, or the error of the work
 */
export async function waitForGame<T>(work: Promise<T>): Promise<T> {
  try {
    return await within(longestWait, work);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw gameCallError({ kind: "timeout", detail: `not all answers within ${longestWait} ms` });
  }
}
