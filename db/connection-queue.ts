import { poolBusy } from "./error-codes";

/** Waiting takes memory; beyond this many, coming back costs a caller less than waiting. */
const longestQueue = 1_000;

/** Runs work when a place is free, in the order in which it was asked for. */
export interface Queue {
  /** @throws PoolBusy */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** So many milliseconds more have passed for those who wait; sends away who waited too long. */
  sweep(passed: number): void;
  /** How many wait now, and how many were sent away so far. */
  readonly state: { readonly waiting: number; readonly refused: number };
}

interface Waiting {
  /** Milliseconds. */
  waited: number;
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * A queue for the connections of a pool, bounded in length and in time. The driver's own has no bound, and hands queries to
 * connections that are busy, where they wait for whatever runs there, although another is free by then. It has no timers of
 * its own: time in which the process stood still is no wait, because nobody read the answers that free a place.
 */
export function connectionQueue(places: number, longestWait: number): Queue {
  let free = places;
  const waiting = new Set<Waiting>();
  let refused = 0;
  const refusal = () => {
    refused += 1;
    return poolBusy();
  };

  const enter = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    if (waiting.size >= longestQueue) return Promise.reject(refusal());
    return new Promise((admit, refuse) => waiting.add({ waited: 0, admit, refuse }));
  };
  const leave = () => {
    // A place goes straight to the next in line, so that nobody overtakes.
    const [next] = waiting;
    if (!next) free += 1;
    else {
      waiting.delete(next);
      next.admit();
    }
  };
  return {
    run: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    sweep: (passed) => {
      for (const each of waiting) {
        each.waited += passed;
        if (each.waited < longestWait) continue;
        waiting.delete(each);
        each.refuse(refusal());
      }
    },
    get state() {
      return { waiting: waiting.size, refused };
    },
  };
}
