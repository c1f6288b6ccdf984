/** Whether this process wants new requests. It stops wanting them before it stops taking them. */
export interface Readiness {
  draining(): boolean;
  /** From now on /health/ready answers 503, so that a load balancer looks elsewhere. */
  drain(): void;
}

export function createReadiness(): Readiness {
  let draining = false;
  return {
    draining: () => draining,
    drain: () => {
      draining = true;
    },
  };
}
