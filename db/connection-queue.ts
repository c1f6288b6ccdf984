import { poolBusy } from "./error-codes";

/** Waiting takes memory; beyond this length a retry costs a caller less than waiting. */
const longestQueue = 1_000;

/** FIFO. */
export interface Queue {
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Adds `passed` milliseconds to each wait and rejects those beyond the limit. */
  sweep(passed: number): void;
  readonly state: { readonly waiting: number; readonly refused: number };
}

interface Waiting {
  /** Milliseconds. */
  waited: number;
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Bounded in length and time; the driver's queue is unbounded and assigns queries to busy
 * connections. Without timers: a frozen process cannot read answers, so that time does not count.
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
    // The place passes straight to the next in line, so that no later caller overtakes.
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
