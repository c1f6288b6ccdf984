import { poolBusyError } from "./error-codes";

const longestQueue = 1_000;

export type ConnectionQueue = ReturnType<typeof createConnectionQueue>;

interface Waiting {
  /** Milliseconds. */
  waited: number;
  readonly admit: () => void;
  readonly refuse: (reason: Error) => void;
}

/** Bounded FIFO. Only `sweep` adds to a wait, so the time of a frozen process does not count. */
export function createConnectionQueue(places: number, longestWait: number) {
  let free = places;
  const waiting = new Set<Waiting>();
  let refused = 0;
  const refusal = () => {
    refused += 1;
    return poolBusyError();
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
    run: async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    /** @param passed milliseconds since the last call */
    sweep: (passed: number) => {
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
