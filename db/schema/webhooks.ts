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
import { accounts } from "./accounts";
import { instant } from "./instant";
import { applications } from "./oauth";

const seq = () => bigint({ mode: "number" });

/** Milliseconds. */
export interface StoredPhases {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  readonly firstByte: number | null;
  readonly total: number;
}

/** An endpoint of an application, or of an account for its notices, and its position in the log. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: uuid().primaryKey(),
    clientId: text().references(() => applications.clientId),
    accountId: uuid().references(() => accounts.id, { onDelete: "cascade" }),
    url: text().notNull(),
    /** The account that set the URL, and the one that saw the secret; null for a deleted account. */
    urlBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
    secretBy: uuid().references(() => accounts.id, { onDelete: "set null" }),
    description: text().notNull(),
    /** Explicit list: types added later are not included. */
    types: text().array().notNull(),
    /** Date of the payload format. */
    version: text().notNull(),
    /** Sealed. Signs first. */
    secret: text().notNull(),
    secretSince: instant().notNull(),
    /** Sealed. Signs too, until it expires. */
    previousSecret: text(),
    previousUntil: instant(),
    state: text({ enum: ["unverified", "enabled", "paused", "disabled"] }).notNull(),
    reason: text({ enum: ["gone", "asked", "exhausted"] }),
    stateSince: instant().notNull(),
    createdAt: instant().notNull(),
    verifiedAt: instant(),
    /** Position: later events are sent. */
    seq: seq().notNull(),
    waiting: integer().notNull().default(0),
    /** When a delivery can be claimed; null if none is pending. */
    dueAt: instant(),
    failures: integer().notNull().default(0),
    firstFailureAt: instant(),
    lastFailureAt: instant(),
    /** Last notice of this streak. */
    notice: text({ enum: ["failing-1h", "failing-24h", "failing-60h", "switched-off"] }),
    lastSuccessAt: instant(),
    /** Types that failed in this streak; others are still tried during back-off. */
    failedTypes: text().array().notNull().default([]),
    /** Next probe with the oldest delivery, during back-off. */
    probeAt: instant(),
    /** Milliseconds between requests after the endpoint asked for a lower rate; null: no limit. */
    paceMs: integer(),
    /** Deliveries since the endpoint last asked for a lower rate. */
    paced: integer().notNull().default(0),
    pacedUntil: instant(),
    /** The last or current request takes longer than a second. */
    slow: boolean().notNull().default(false),
    /**
     * Fencing token: incremented when URL, secret or state change; results of older attempts are
     * discarded.
     */
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

/**
 * Pending deliveries: one per event, endpoint and player. Delivered or withdrawn ones have no row.
 */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** The receiver's idempotency key. */
    messageId: text().notNull(),
    /** The event's number, or the last one of a gap. */
    seq: seq().notNull(),
    /** For a gap: the number before its first event. */
    gapAfter: seq(),
    /** Player of the grant that permits it; null for events of all applications. */
    playerId: integer(),
    type: text().notNull(),
    /** The same in every attempt; null before the first. */
    body: text(),
    attempts: integer().notNull().default(0),
    firstAttemptAt: instant(),
    /** 1970: at once, in log order. */
    nextAt: instant().notNull(),
    lease: integer().notNull().default(0),
    leaseUntil: instant(),
    /** Concurrent requests of its endpoint that the claim may make. */
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
    phases: jsonb().$type<StoredPhases>(),
    excerpt: text(),
    nextAt: instant(),
  },
  (table) => [
    index("webhook_attempts_endpoint").on(table.endpointId, table.id),
    index("webhook_attempts_message").on(table.endpointId, table.messageId),
  ],
);
