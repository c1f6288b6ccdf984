/** How many connections each pool of a process may open. */
export interface PoolSizes {
  /** Transactions, writes and lists of requests. */
  readonly general: number;
  /** The token endpoint: statements of a millisecond that share these by pipelining; all but one may hold a transaction. */
  readonly token: number;
  /** Look-ups by key share one by pipelining, which is faster than several; where they cannot, behind a pooler, they take turns. */
  readonly key: number;
  /** Jobs run side by side, but most of their time they wait for the game. */
  readonly job: number;
}

export function usualPoolSizes({ pooled }: { readonly pooled: boolean }): PoolSizes {
  return { general: 8, token: 5, key: pooled ? 4 : 1, job: 4 };
}

/** The one that listens. */
const listeners = 1;
/** What asks a replica how far it is. */
const askers = 1;

/** What a process opens at most: on its database, and on a replica. A migration at its start opens one more for a moment. */
export const connectionsOf = ({ general, token, key, job }: PoolSizes): { database: number; replica: number } => ({
  database: general + token + key + job + listeners,
  replica: general + askers,
});
