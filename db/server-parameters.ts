import { secondMs } from "#server/platform/durations";

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

/** What PostgreSQL is told: to end by itself, a little before we would, what takes too long although the connection is sound. */
export const parametersFor = (deadline: number) => ({
  application_name: "adjutant",
  statement_timeout: Math.round(deadline * (7 / 8)),
  // Ends a transaction of ours whose process is gone without a word, so that others need not wait for its locks.
  idle_in_transaction_session_timeout: deadline + secondMs,
  // Times leave and arrive as UTC, whatever the server's zone.
  TimeZone: "UTC",
});
