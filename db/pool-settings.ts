import { secondMs } from "#server/platform/time";

export interface PoolSizes {
  readonly general: number;
  /** All but one connection may hold a transaction. */
  readonly token: number;
  /** One pipelined connection is faster than several; a pooler rules out pipelining. */
  readonly key: number;
  readonly job: number;
}

export function defaultPoolSizesFor({ pooled }: { readonly pooled: boolean }): PoolSizes {
  return { general: 8, token: 5, key: pooled ? 4 : 1, job: 4 };
}

const listeners = 1;
/** Most connections of a process. A migration at the start briefly opens one more. */
export const connectionCountOf = ({ general, token, key, job }: PoolSizes): number =>
  general + token + key + job + listeners;

/** PostgreSQL's own timeout is slightly shorter than ours. */
export const parametersFor = (deadline: number) => ({
  application_name: "adjutant",
  statement_timeout: Math.round(deadline * (7 / 8)),
  // Releases the locks of a vanished process.
  idle_in_transaction_session_timeout: deadline + secondMs,
});

/** PgBouncer tracks these settings per client. */
export const sessionFormats = {
  client_encoding: "UTF8",
  DateStyle: "ISO, MDY",
  TimeZone: "UTC",
  standard_conforming_strings: "on",
  extra_float_digits: "1",
};

/** PgBouncer rejects these settings by default, so behind it they are checked, not set. */
export const untrackedFormats = {
  IntervalStyle: "postgres",
  bytea_output: "hex",
  default_transaction_isolation: "read committed",
};

/** A plan made on empty tables would scan them whole until the next ANALYZE. */
export const indexScanSettings = {
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  join_collapse_limit: 1,
};
