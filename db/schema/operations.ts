import { type SQLWrapper, sql } from "drizzle-orm";
import {
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";

/** Holds names of query and body fields, never their values. */
export interface FailureNote {
  readonly message?: string;
  readonly details?: unknown;
  readonly query?: readonly string[];
  readonly body?: readonly string[];
  readonly token?: DeadToken;
}

/** `at` is ISO 8601. */
export interface DeadToken {
  readonly ended: "expired" | "replaced" | "revoked";
  readonly at: string | null;
  readonly by?: string | null;
}

/** Has few indexes, because a b-tree would cost half as much as inserting the line. */
export const requestLog = pgTable(
  "request_log",
  {
    /** Tiebreaker; not indexed. */
    id: bigserial({ mode: "bigint" }).notNull(),
    at: instant().notNull(),
    requestId: text().notNull(),
    method: text().notNull(),
    /** "unmatched" if there is no such route. */
    route: text().notNull(),
    status: integer().notNull(),
    failureCode: integer(),
    accountId: uuid(),
    clientId: text(),
    address: text(),
    /** Null if the route has no parameters, or the call no application. */
    path: text(),
    userAgent: text(),
    micros: integer().notNull(),
    /** Null for successful calls, and beyond a limit per minute. */
    failure: jsonb().$type<FailureNote>(),
  },
  (table) => [
    index("request_log_client").on(table.clientId, table.at),
    // 16 pages hold some thousand lines.
    index("request_log_pages")
      .using("brin", table.at, table.accountId.op("uuid_bloom_ops(n_distinct_per_range=1200)"))
      .with({ pages_per_range: 16, autosummarize: true }),
    // Partial, so that successful calls do not pay for this index.
    index("request_log_failed")
      .on(table.clientId, table.at, table.id)
      .where(sql`${table.status} >= 400 and ${table.clientId} is not null`),
  ],
);

const isNoRefresh = sql`act <> 'token.refreshed'`;

/** Separators become spaces, so that parts of addresses are found. */
export const auditSearchVector = (details: SQLWrapper) =>
  sql`to_tsvector('simple', translate(${details}::text, './:-_@?=&#+', '           '))`;

type AuditDetail = string | number | boolean | null | readonly string[];

/** Partitioned by week, because a page may search all partitions. */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigserial({ mode: "bigint" }).notNull(),
    at: instant().notNull(),
    act: text().notNull(),
    actor: text().notNull(),
    accountId: uuid(),
    clientId: text(),
    requestId: text(),
    address: text(),
    details: jsonb()
      .$type<
        Record<string, AuditDetail | { readonly from: AuditDetail; readonly to: AuditDetail }>
      >()
      .notNull(),
  },
  (table) => [
    index("audit_log_id").on(table.id),
    index("audit_log_account").on(table.accountId, table.at),
    index("audit_log_client").on(table.clientId, table.at),
    // Leaves out refreshes, which are many and are found without this index.
    index("audit_log_act").on(table.act, table.id).where(isNoRefresh),
    index("audit_log_request").on(table.requestId).where(isNoRefresh),
    index("audit_log_address").on(table.address, table.id).where(isNoRefresh),
    index("audit_log_words").using("gin", auditSearchVector(table.details)).where(isNoRefresh),
    index("audit_log_at").using("brin", table.at).with({ autosummarize: true }),
  ],
);

export const idempotencyRecords = pgTable(
  "idempotency_records",
  {
    accountId: uuid().notNull(),
    clientId: text().notNull(),
    key: text().notNull(),
    /** Covers method, path and body. */
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

/** The id derives from job and slot, so only one instance can insert it. */
export const jobRuns = pgTable(
  "job_runs",
  {
    id: text().primaryKey(),
    job: text().notNull(),
    slot: instant().notNull(),
    startedAt: instant().notNull(),
    lease: integer().notNull().default(0),
    /** An unfinished run has crashed if its lease has expired. */
    leaseUntil: instant(),
    finishedAt: instant(),
    outcome: text({ enum: ["done", "failed"] }),
    counts: jsonb().$type<Record<string, number>>(),
    error: text(),
  },
  (table) => [
    index("job_runs_job").on(table.job, table.slot),
    index("job_runs_open").on(table.job).where(sql`${table.finishedAt} is null`),
  ],
);

export const appState = pgTable("app_state", {
  key: text().primaryKey(),
  value: text().notNull(),
});

/** `clientErrors` leaves out 429, which is `limited`. */
export type EndpointCounts = readonly [
  calls: number,
  clientErrors: number,
  limited: number,
  serverErrors: number,
];

/** Aggregated from the request log and kept as long. */
export const trafficHours = pgTable(
  "traffic_hours",
  {
    clientId: text().notNull(),
    hour: instant().notNull(),
    /** Keyed by method and route, such as "GET /api/v1/user". */
    endpoints: jsonb().$type<Readonly<Record<string, EndpointCounts>>>().notNull(),
    /** Keyed by the logarithm of the microseconds to the base `latencyBucketBase`. */
    latency: jsonb().$type<Readonly<Record<string, number>>>().notNull(),
    /** The most calls per minute with one player's tokens. */
    busiestMinute: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clientId, table.hour] }),
    index("traffic_hours_hour").on(table.hour),
  ],
);

export const instances = pgTable("instances", {
  id: uuid().primaryKey(),
  startedAt: instant().notNull(),
  lastSeen: instant().notNull(),
  sharedLimits: boolean().notNull(),
});

/** Calls to the game in the last minute, by all processes. Player 0 is the whole service. */
export const gameBudgets = pgTable("game_budgets", {
  playerId: integer().primaryKey(),
  /** Start of the newest two-second slot. */
  slot: instant().notNull(),
  used: integer().notNull(),
  /** Newest first. */
  earlier: integer().array().notNull().default(sql`'{}'`),
});
