import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";
import { applications } from "./oauth";

const seq = () => bigint({ mode: "number" });

/** Milliseconds of an attempt's phases, as they are shown. */
export interface StoredPhases {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  readonly firstByte: number | null;
  readonly total: number;
}

/** Where an application is told of events, and how far it has been. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: uuid().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => applications.clientId),
    url: text().notNull(),
    description: text().notNull(),
    /** Named one by one: a type that is added later is not among them. */
    types: text().array().notNull(),
    /** The date of the form in which events are told. */
    version: text().notNull(),
    /** Sealed. Signs first. */
    secret: text().notNull(),
    secretSince: instant().notNull(),
    /** Sealed. Signs beside it until it ends. */
    previousSecret: text(),
    previousUntil: instant(),
    state: text({ enum: ["unverified", "enabled", "paused", "disabled"] }).notNull(),
    /** Why it is disabled. */
    reason: text({ enum: ["gone", "asked", "exhausted", "secret-lost"] }),
    stateSince: instant().notNull(),
    createdAt: instant().notNull(),
    /** When it first proved that it is the developer's. */
    verifiedAt: instant(),
    /** Events after this number of the log are sent to it. */
    seq: seq().notNull(),
    /** How many deliveries wait. */
    waiting: integer().notNull().default(0),
    /** When a delivery can be claimed; null where none waits. */
    dueAt: instant(),
    /** Failures since the last good answer. */
    failures: integer().notNull().default(0),
    firstFailureAt: instant(),
    lastFailureAt: instant(),
    /** The last notice of this streak. */
    notice: text({ enum: ["failing-1h", "failing-24h", "failing-60h", "switched-off"] }),
    lastSuccessAt: instant(),
    /** The types that failed in this streak: while the endpoint rests, the others are still tried. */
    failedTypes: text().array().notNull().default([]),
    /** When its oldest delivery is tried, while it rests. */
    probeAt: instant(),
    /** Milliseconds between two requests, since it asked to be sent less; null: none. */
    paceMs: integer(),
    /** Deliveries since it last asked to be sent less. */
    paced: integer().notNull().default(0),
    /** Nothing is sent before. */
    pacedUntil: instant(),
    /** Its last answer took longer than a second, or the one under way does. */
    slow: boolean().notNull().default(false),
    /** Goes up with every act that replaces URL, secret or state: attempts of an older one are stopped and do not count. */
    generation: integer().notNull().default(0),
  },
  (table) => [
    index("webhook_endpoints_client").on(table.clientId),
    index("webhook_endpoints_due").on(table.dueAt).where(sql`${table.state} = 'enabled'`),
    index("webhook_endpoints_failing")
      .on(table.firstFailureAt)
      .where(sql`${table.state} = 'enabled'`),
  ],
);

/** Deliveries that wait: one for each event, endpoint and player. What was delivered or withdrawn has no row. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** What receivers know it by. */
    messageId: text().notNull(),
    /** The event's number, or the last one that a gap covers. */
    seq: seq().notNull(),
    /** Of a gap: the number before the first one that it covers. */
    gapAfter: seq(),
    /** Whose grant opens it; null for what every application is told. */
    playerId: integer(),
    type: text().notNull(),
    /** The same in every attempt; null before the first. */
    body: text(),
    attempts: integer().notNull().default(0),
    firstAttemptAt: instant(),
    /** 1970: at once, in the order of the log, whatever the clock says. */
    nextAt: instant().notNull(),
    lease: integer().notNull().default(0),
    /** Under way until then, in the process that has this lease. */
    leaseUntil: instant(),
  },
  (table) => [
    uniqueIndex("webhook_deliveries_message").on(table.endpointId, table.messageId),
    index("webhook_deliveries_order").on(table.endpointId, table.nextAt, table.seq, table.id),
    index("webhook_deliveries_leased")
      .on(table.leaseUntil)
      .where(sql`${table.leaseUntil} is not null`),
  ],
);

/** Attempts, as developers see them. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    messageId: text().notNull(),
    /** Null for tests, which are no events of the log. */
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
