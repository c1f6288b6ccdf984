/** Readiness turns off before the server stops accepting. */
export interface Readiness {
  draining(): boolean;
  /** /health/ready answers 503 from now on. */
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
