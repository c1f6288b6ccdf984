/** Whether this process wants new requests. It stops wanting them before it stops taking them. */
export interface Readiness {
  draining(): boolean;
  /** From now on /health/ready answers 503, so that a load balancer looks elsewhere. */
  drain(): void;
  /** Looks at the parts of this process. Probes that ask while one look is under way share it: together they cost as much as one. */
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
