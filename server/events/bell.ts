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
