import { secondMs } from "#server/platform/time";

export interface PoolSizes {
  readonly general: number;
  /** Statements of a millisecond, pipelined; all but one connection may hold a transaction. */
  readonly token: number;
  /**
   * Lookups by key are pipelined on one connection, which is faster than several; behind a pooler
   * they take turns.
   */
  readonly key: number;
  /** Jobs run in parallel, but mostly wait for the game. */
  readonly job: number;
}

export function usualPoolSizes({ pooled }: { readonly pooled: boolean }): PoolSizes {
  return { general: 8, token: 5, key: pooled ? 4 : 1, job: 4 };
}

const listeners = 1;
/** Maximum connections of a process. A migration at the start briefly opens one more. */
export const connectionsOf = ({ general, token, key, job }: PoolSizes): number =>
  general + token + key + job + listeners;

/** PostgreSQL's own statement timeout is slightly below our deadline. */
export const parametersFor = (deadline: number) => ({
  application_name: "adjutant",
  statement_timeout: Math.round(deadline * (7 / 8)),
  // Ends the transaction of a vanished process, so that its locks are released.
  idle_in_transaction_session_timeout: deadline + secondMs,
});

/** Value formats, whatever role and database set. PgBouncer tracks these per client. */
export const formats = {
  client_encoding: "UTF8",
  DateStyle: "ISO, MDY",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
  extra_float_digits: "1",
};

/**
 * PgBouncer rejects these unless it is configured to ignore them: behind it they are checked, not
 * set.
 */
export const untrackedFormats = {
  IntervalStyle: "postgres",
  bytea_output: "hex",
  default_transaction_isolation: "read committed",
};

/**
 * A cached plan made on empty tables would scan them whole until the next ANALYZE. So tables are
 * joined in the written order, by index.
 */
export const alwaysByIndex = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  join_collapse_limit: 1,
};
