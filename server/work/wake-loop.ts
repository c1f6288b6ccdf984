import { setTimeout as wait } from "node:timers/promises";

/** Runs one at a time. A call during a run causes one more. */
interface WakeLoop {
  wake(): void;
  /** Resolves when no run is wanted any more. Rejects with the failure of one. */
  run(): Promise<void>;
  running(): Promise<void> | undefined;
}

interface WakeLoopOptions {
  readonly run: () => Promise<void>;
  /** Hears why a run that `wake` began failed; the next wake tries again. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds before one more run. */
  readonly pause?: number;
  readonly defer?: (work: () => Promise<void>) => void;
}

export function createWakeLoop(options: WakeLoopOptions): WakeLoop {
  const { run, onFailure, pause = 0, defer = (work) => void work() } = options;
  let wanted = false;
  let running: Promise<void> | undefined;
  const runWanted = async () => {
    try {
      do {
        wanted = false;
        await run();
        if (wanted && pause > 0) await wait(pause);
      } while (wanted);
    } finally {
      // In the same turn as the last look at `wanted`, so that no wake is lost.
      running = undefined;
    }
  };
  const begin = () => {
    wanted = true;
    running ??= runWanted();
    return running;
  };
  return {
    wake: () => {
      wanted = true;
      if (running) return;
      defer(async () => {
        // The run of another wake before this one may have begun meanwhile.
        if (wanted) await begin().catch(onFailure);
      });
    },
    run: begin,
    running: () => running,
  };
}

/** Wakes one waiting loop. A ring without a waiter is kept for the next wait. */
export interface Bell {
  ring(): void;
  /** @returns false after a timeout */
  heard(milliseconds: number): Promise<boolean>;
}

export function createBell(): Bell {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      rung = true;
      wake?.();
    },
    heard: async (milliseconds) => {
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
