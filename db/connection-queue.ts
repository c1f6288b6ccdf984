import { poolBusy } from "./error-codes";

/** Waiting takes memory; beyond this many, coming back costs a caller less than waiting. */
const longestQueue = 1_000;

/** Runs work when a place is free, in the order in which it was asked for. @throws PoolBusy */
export type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * A queue for the connections of a pool, bounded in length and in time. The driver's own has no bound, and hands queries to
 * connections that are busy, where they wait for whatever runs there, although another is free by then.
 */
export function connectionQueue(places: number, longestWait: number): Queue {
  let free = places;
  const waiting = new Set<() => void>();

  const enter = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    if (waiting.size >= longestQueue) return Promise.reject(poolBusy());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(admit);
        reject(poolBusy());
      }, longestWait);
      const admit = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add(admit);
    });
  };
  const leave = () => {
    // A place goes straight to the next in line, so that nobody overtakes.
    const [next] = waiting;
    if (!next) free += 1;
    else {
      waiting.delete(next);
      next();
    }
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
