import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { accounts, nullableAccountColumn } from "./accounts";
import { instant } from "./instant";
import { applications } from "./oauth";

const seq = () => bigint({ mode: "number" });

/** Milliseconds. */
export interface StoredPhaseTimings {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  readonly firstByte: number | null;
  readonly total: number;
}

/** An endpoint belongs to an application, or to an account for its notices. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: uuid().primaryKey(),
    clientId: text().references(() => applications.clientId),
    accountId: uuid().references(() => accounts.id, { onDelete: "cascade" }),
    url: text().notNull(),
    urlBy: nullableAccountColumn(),
    secretBy: nullableAccountColumn(),
    description: text().notNull(),
    /** Types added later are not included. */
    types: text().array().notNull(),
    version: text().notNull(),
    /** Sealed. Its signature comes first. */
    secret: text().notNull(),
    secretSince: instant().notNull(),
    /** Sealed. Signs too, until `previousUntil`. */
    previousSecret: text(),
    previousUntil: instant(),
    state: text({ enum: ["unverified", "enabled", "paused", "disabled"] }).notNull(),
    reason: text({ enum: ["gone", "asked", "exhausted"] }),
    stateSince: instant().notNull(),
    createdAt: instant().notNull(),
    verifiedAt: instant(),
    /** Events after this number are sent. */
    seq: seq().notNull(),
    waiting: integer().notNull().default(0),
    /** Null if no delivery can be claimed. */
    dueAt: instant(),
    failures: integer().notNull().default(0),
    firstFailureAt: instant(),
    lastFailureAt: instant(),
    /** Last notice in this streak of failures. */
    notice: text({ enum: ["failing-1h", "failing-24h", "failing-60h", "switched-off"] }),
    lastSuccessAt: instant(),
    /** Types that failed in this streak. Other types are still tried during back-off. */
    failedTypes: text().array().notNull().default([]),
    /** Next probe, during back-off, with the oldest delivery. */
    probeAt: instant(),
    /** Milliseconds between requests after the endpoint asked for a lower rate. */
    paceMs: integer(),
    /** Deliveries since the rate was lowered. */
    paced: integer().notNull().default(0),
    pacedUntil: instant(),
    /** True if requests take longer than a second. */
    slow: boolean().notNull().default(false),
    /** Fencing token: results of attempts before a change of URL, secret or state are discarded. */
    generation: integer().notNull().default(0),
  },
  (table) => [
    check("webhook_endpoints_owner", sql`num_nonnulls(${table.clientId}, ${table.accountId}) = 1`),
    uniqueIndex("webhook_endpoints_account").on(table.accountId),
    index("webhook_endpoints_client").on(table.clientId),
    index("webhook_endpoints_due").on(table.dueAt).where(sql`${table.state} = 'enabled'`),
    index("webhook_endpoints_failing")
      .on(table.firstFailureAt)
      .where(sql`${table.state} = 'enabled'`),
  ],
);

/** A delivered or withdrawn message has no row. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** The receiver's idempotency key. */
    messageId: text().notNull(),
    /** Number of the event, or of a gap's last event. */
    seq: seq().notNull(),
    /** The number before a gap's first event. */
    gapAfter: seq(),
    /** Null for an event that goes to all applications. */
    playerId: integer(),
    type: text().notNull(),
    /** The same in every attempt. */
    body: text(),
    attempts: integer().notNull().default(0),
    firstAttemptAt: instant(),
    /** 1970 means at once, in log order. */
    nextAt: instant().notNull(),
    lease: integer().notNull().default(0),
    leaseUntil: instant(),
    /** Concurrent requests that the claim may make. */
    requests: integer().notNull().default(0),
  },
  (table) => [
    uniqueIndex("webhook_deliveries_message").on(table.endpointId, table.messageId),
    index("webhook_deliveries_order").on(table.endpointId, table.nextAt, table.seq, table.id),
    index("webhook_deliveries_leased")
      .on(table.leaseUntil)
      .where(sql`${table.leaseUntil} is not null`),
  ],
);

export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    messageId: text().notNull(),
    /** Null for tests. */
    seq: seq(),
    playerId: integer(),
    type: text().notNull(),
    attempt: integer().notNull(),
    at: instant().notNull(),
    outcome: text({
      enum: ["delivered", "failed", "given-up", "exhausted", "withdrawn"],
    }).notNull(),
    status: integer(),
    failure: text(),
    phases: jsonb().$type<StoredPhaseTimings>(),
    excerpt: text(),
    nextAt: instant(),
  },
  (table) => [
    index("webhook_attempts_endpoint").on(table.endpointId, table.id),
    index("webhook_attempts_message").on(table.endpointId, table.messageId),
  ],
);
