import { describeError } from "./errors";
import type { Log } from "./log";

export interface DeferredWork {
  defer(work: () => Promise<void>): void;
  /** Resolves when no deferred work is left, including work added meanwhile. */
  settled(): Promise<void>;
}

/** Failures are only logged, because the caller already has its answer. */
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
