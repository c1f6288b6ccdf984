import type { Connections } from "./connections";

/** Where every look is late, the process is overloaded, and deadlines have to hold all the same. */
const mostSkipped = 3;

/**
 * One timer for all deadlines of a process, because one for each statement would cost as much as the statement's own work.
 * @param pause milliseconds between two looks
 * @returns ends it
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
    // Where this process itself stood still, answers may have arrived that it could not read yet.
    const late = now - due > pause;
    due = now + pause;
    skipped = late && skipped < mostSkipped ? skipped + 1 : 0;
    if (skipped === 0) for (const pool of pools) pool.sweep(now, pause);
  }, pause);
  timer.unref();
  return () => clearInterval(timer);
}
