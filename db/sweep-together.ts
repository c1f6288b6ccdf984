import type { Connections } from "./connections";

/** If every sweep is late, the process is overloaded, and deadlines must hold nevertheless. */
const mostSkipped = 3;

/**
 * One timer for all deadlines, because a timer per statement would cost as much as the statement.
 * @param pause milliseconds between sweeps
 * @returns a function that stops it
 */
export function sweepTogether(
  pools: ReadonlySet<Pick<Connections, "sweep">>,
  pause: number,
  clock = () => performance.now(),
): () => void {
  let due = clock() + pause;
  let skipped = 0;
  const timer = setInterval(() => {
    const now = clock();
    // If the process itself was frozen, unread answers may have arrived.
    const late = now - due > pause;
    due = now + pause;
    skipped = late && skipped < mostSkipped ? skipped + 1 : 0;
    if (skipped === 0) for (const pool of pools) pool.sweep(now, pause);
  }, pause);
  timer.unref();
  return () => clearInterval(timer);
}
