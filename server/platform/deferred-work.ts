import { describeError } from "./errors";
import type { Log } from "./log";

/** Work that runs after the answer, and is still known to the process. */
export interface DeferredWork {
  defer(work: () => Promise<void>): void;
  /** Resolves when nothing deferred is under way any more, work deferred meanwhile included. */
  settled(): Promise<void>;
}

/** A failure of deferred work is only logged: its caller has been answered. */
export function createDeferredWork(log: Log): DeferredWork {
  const running = new Set<Promise<void>>();
  return {
    defer: (work) => {
      const run: Promise<void> = Promise.resolve()
        .then(work)
        .catch((error: unknown) =>
          log.error({ error: describeError(error) }, "work after an answer failed"),
        )
        .finally(() => running.delete(run));
      running.add(run);
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
