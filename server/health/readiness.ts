/** Readiness turns off before the server stops accepting. */
export interface Readiness {
  draining(): boolean;
  /** /health/ready answers 503 from now on. */
  drain(): void;
  /** Reads the parts; concurrent probes share one read. */
  look<Parts>(read: () => Promise<Parts>): Promise<Parts>;
}

export function createReadiness(): Readiness {
  let draining = false;
  let looking: Promise<unknown> | undefined;
  return {
    draining: () => draining,
    drain: () => {
      draining = true;
    },
    look: <Parts>(read: () => Promise<Parts>) => {
      looking ??= read().finally(() => {
        looking = undefined;
      });
      return looking as Promise<Parts>;
    },
  };
}
