import { setTimeout as wait } from "node:timers/promises";

interface WakeLoopOptions {
  readonly run: () => Promise<void>;
  /** Called if a run that `wake` began fails; the next wake tries again. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds between consecutive runs. */
  readonly pause?: number;
  readonly defer?: (work: () => Promise<void>) => void;
}

/** Runs one at a time; any number of calls during a run cause one more run. */
export function createWakeLoop(options: WakeLoopOptions) {
  const { run, onFailure, pause = 0, defer = (work) => void work() } = options;
  let [wanted, stopped] = [false, false];
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const runWanted = async () => {
    try {
      do {
        wanted = false;
        await run();
        if (wanted && pause > 0) await wait(pause);
      } while (wanted && !stopped);
    } finally {
      // Cleared in the same tick as the last check of `wanted`, so that no wake is lost.
      running = undefined;
    }
  };
  const begin = () => {
    wanted = true;
    running ??= runWanted();
    return running;
  };
  const wake = () => {
    if (stopped) return;
    wanted = true;
    if (running) return;
    defer(async () => {
      // A run that started meanwhile may have covered this wake.
      if (wanted) await begin().catch(onFailure);
    });
  };
  return {
    wake,
    wakeEvery: (milliseconds: number) => {
      timer ??= setInterval(wake, milliseconds).unref();
    },
    /** Resolves when no further run is wanted, and rejects if a run fails. */
    run: begin,
    running: () => running,
    /** Lets the current run finish. */
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}

export type Bell = ReturnType<typeof createBell>;

/** Wakes one waiting loop. A ring without a waiter is kept for the next wait. */
export function createBell() {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    /** @returns false after a timeout */
    heard: async (milliseconds: number) => {
      if (!rung)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      wake = undefined;
      const heard = rung;
      rung = false;
      return heard;
    },
  };
}
