import { secondMs } from "#server/platform/time";

/** The most connections of each pool of a process. */
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
/** The most connections of a process to its database. A migration at its start opens one more for a moment. */
export const connectionsOf = ({ general, token, key, job }: PoolSizes): number =>
  general + token + key + job + listeners;

/** Parameters of a connection: PostgreSQL ends a statement that takes too long by itself, a little before we would. */
export const parametersFor = (deadline: number) => ({
  application_name: "adjutant",
  statement_timeout: Math.round(deadline * (7 / 8)),
  // Ends a transaction of ours whose process is gone without a word, so that others need not wait for its locks.
  idle_in_transaction_session_timeout: deadline + secondMs,
});

/** How values leave and arrive, whatever role and database say. PgBouncer keeps these for each of its clients. */
export const formats = {
  client_encoding: "UTF8",
  DateStyle: "ISO, MDY",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
  extra_float_digits: "1",
};

/** The same, where PgBouncer refuses what it is not made to ignore: behind it they are looked at, not set. */
export const untrackedFormats = {
  IntervalStyle: "postgres",
  bytea_output: "hex",
  default_transaction_isolation: "read committed",
};

/**
 * A prepared statement keeps the plan of its first runs. Made while the tables were empty, it would read them whole for every
 * lookup once they have grown, until PostgreSQL looks at them again. So tables are joined in the order written, by index.
 */
export const alwaysByIndex = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  join_collapse_limit: 1,
};
