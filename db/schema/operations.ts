import { sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";

/** What is written down of a call that failed. Of query and body there are names alone, never a value. */
export interface FailureNote {
  /** The failure's own sentence, where it differs from that of its code. */
  readonly message?: string;
  readonly details?: unknown;
  readonly query?: readonly string[];
  /** Fields of the body. */
  readonly body?: readonly string[];
  /** As it was sent, where the route does not say it all: there is none, or it has parameters. */
  readonly path?: string;
  /** Why the token was none any more, where it had been one. */
  readonly token?: DeadToken;
}

/** How an access token ended, and when (ISO 8601), where that is known. */
export interface DeadToken {
  readonly ended: "expired" | "replaced" | "revoked";
  readonly at: string | null;
  /** Who or what revoked its grant. */
  readonly by?: string | null;
}

/**
 * One line per API call, written in batches after the answer. Kept 30 days, each UTC day in a partition of its own. The partition
 * that is written to has no b-tree but that of what failed: one costs each call as much as half of the line. See `requestLogPartitions`.
 */
export const requestLog = pgTable(
  "request_log",
  {
    /** Orders lines of the same instant; no index leads to it. */
    id: bigserial({ mode: "bigint" }).notNull(),
    at: instant().notNull(),
    requestId: text().notNull(),
    method: text().notNull(),
    /** The route's template, never the address as sent. */
    route: text().notNull(),
    status: integer().notNull(),
    failureCode: integer(),
    accountId: uuid(),
    clientId: text(),
    address: text(),
    micros: integer().notNull(),
    /** Null for calls that succeeded, so that they need not pay for it, and beyond so many failures of an application a minute. */
    failure: jsonb().$type<FailureNote>(),
  },
  (table) => [
    index("request_log_client").on(table.clientId, table.at),
    // Says of each 16 pages, some thousand lines, when they were written, and which accounts may stand there.
    index("request_log_pages")
      .using("brin", table.at, table.accountId.op("uuid_bloom_ops(n_distinct_per_range=1200)"))
      .with({ pages_per_range: 16, autosummarize: true }),
    // What failed is sought among very many calls that did not, and those need not pay for it.
    index("request_log_failed")
      .on(table.clientId, table.at, table.id)
      .where(sql`${table.status} >= 400 and ${table.clientId} is not null`),
  ],
);

/** Who did what to whose rights. Append-only. Kept 90 days, in partitions of a week: a page may look into each. */
export const auditLog = pgTable(
  "audit_log",
  {
    /** Grows with time, over all partitions. */
    id: bigserial({ mode: "bigint" }).notNull(),
    at: instant().notNull(),
    act: text().notNull(),
    actor: text().notNull(),
    accountId: uuid(),
    clientId: text(),
    requestId: text(),
    address: text(),
    details: jsonb()
      .$type<Record<string, string | number | boolean | null | readonly string[]>>()
      .notNull(),
  },
  (table) => [
    index("audit_log_id").on(table.id),
    index("audit_log_account").on(table.accountId, table.at),
    index("audit_log_client").on(table.clientId, table.at),
    // Refreshes are found without it, so many are there, and need not pay for it.
    index("audit_log_act").on(table.act, table.id).where(sql`${table.act} <> 'tokens-refreshed'`),
  ],
);

/** The first answer to a call that carried an Idempotency-Key. Kept 24 hours. */
export const idempotencyRecords = pgTable(
  "idempotency_records",
  {
    accountId: uuid().notNull(),
    clientId: text().notNull(),
    key: text().notNull(),
    /** Hash of method, path and body: the same key with another request is a conflict. */
    requestHash: text().notNull(),
    status: integer(),
    body: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.clientId, table.key] }),
    index("idempotency_records_created").on(table.createdAt),
  ],
);

/** A slot of a periodic job. Its id is derived from job and slot time, so that of all instances one inserts it. */
export const jobRuns = pgTable(
  "job_runs",
  {
    id: text().primaryKey(),
    job: text().notNull(),
    slot: instant().notNull(),
    startedAt: instant().notNull(),
    /** Extended while the run lives. An unfinished run past it belonged to a process that died. */
    leaseUntil: instant().notNull(),
    finishedAt: instant(),
    outcome: text({ enum: ["done", "failed"] }),
    counts: jsonb().$type<Record<string, number>>(),
    error: text(),
  },
  (table) => [
    index("job_runs_job").on(table.job, table.slot),
    // Every claim looks for runs that are still open, of which there are few.
    index("job_runs_open").on(table.job).where(sql`${table.finishedAt} is null`),
  ],
);

/** What outlives a process: the simulated world's epoch among them. */
export const appState = pgTable("facts", {
  key: text().primaryKey(),
  value: text().notNull(),
});

/** Calls of an endpoint in an hour: all, those refused with 4xx other than 429, with 429, and those that failed with 5xx. */
export type EndpointCounts = readonly [
  calls: number,
  clientErrors: number,
  limited: number,
  serverErrors: number,
];

/** An hour of an application's calls, counted from the request log when it is over. Kept as long as the log. */
export const trafficHours = pgTable(
  "traffic_hours",
  {
    clientId: text().notNull(),
    hour: instant().notNull(),
    /** By method and route, as "GET /api/v1/user". */
    endpoints: jsonb().$type<Readonly<Record<string, EndpointCounts>>>().notNull(),
    /** How many calls took how long: by the logarithm of the microseconds to the base `latencyBase`. */
    latency: jsonb().$type<Readonly<Record<string, number>>>().notNull(),
    /** The most calls that one player's tokens made in a minute. */
    busiestMinute: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.hour] }),
    index("traffic_hours_hour").on(table.hour),
  ],
);

/** Processes that serve this database at the moment, by their heartbeats. */
export const instances = pgTable("instances", {
  id: uuid().primaryKey(),
  startedAt: instant().notNull(),
  lastSeen: instant().notNull(),
  /** Whether its rate limits are shared with other processes. */
  sharedLimits: boolean().notNull(),
});

/** Calls to the game of the last minute, over all processes: with a player's keys, and as subject 0 of this whole service. */
export const gameBudgets = pgTable("game_budgets", {
  playerId: integer().primaryKey(),
  /** When the newest of its slots of two seconds began. */
  slot: timestamp("minute", { withTimezone: true, mode: "date" }).notNull(),
  /** Calls of the newest slot. */
  used: integer().notNull(),
  /** Calls of the slots before it, the newest first. */
  earlier: integer().array().notNull().default(sql`'{}'`),
});
