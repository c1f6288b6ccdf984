import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
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
    /** Up to this number of the log everything was delivered, or waits in a row of its own. */
    seq: seq().notNull(),
    /** Up to this number it is known how much waits, and how much that is. */
    counted: seq().notNull(),
    waiting: integer().notNull().default(0),
    /** When there is something to do for it. Null: nothing. */
    dueAt: instant(),
    /** Failures since the last good answer. */
    failures: integer().notNull().default(0),
    firstFailureAt: instant(),
    lastFailureAt: instant(),
    /** The last notice of this streak. */
    notice: text({ enum: ["failing-1h", "failing-24h", "failing-60h", "switched-off"] }),
    lastSuccessAt: instant(),
    /** Goes up with every claim, and with every act of the developer: results of an older one are not written. */
    lease: integer().notNull().default(0),
    leaseUntil: instant(),
    leaseOwner: text(),
    /** How many requests may be under way at once while the lease lasts. */
    permits: integer().notNull().default(1),
  },
  (table) => [
    index("webhook_endpoints_client").on(table.clientId),
    index("webhook_endpoints_due").on(table.dueAt).where(sql`${table.state} = 'enabled'`),
    index("webhook_endpoints_held").on(table.leaseUntil).where(sql`${table.state} = 'enabled'`),
    index("webhook_endpoints_counted").on(table.counted).where(sql`${table.state} = 'enabled'`),
    index("webhook_endpoints_failing")
      .on(table.firstFailureAt)
      .where(sql`${table.state} = 'enabled'`),
  ],
);

/** Messages that wait for an attempt of their own: those that failed, those to be sent again, and gaps. */
export const webhookMessages = pgTable(
  "webhook_messages",
  {
    endpointId: uuid()
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** What receivers know it by. */
    messageId: text().notNull(),
    /** The event's number, or the last one that a gap covers. */
    seq: seq().notNull(),
    /** Whose grant opens it; null for what every application is told. */
    playerId: integer(),
    type: text().notNull(),
    /** The same in every attempt; null before the first. */
    body: text(),
    attempts: integer().notNull().default(0),
    firstAttemptAt: instant(),
    nextAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.endpointId, table.messageId] }),
    index("webhook_messages_order").on(table.endpointId, table.seq),
  ],
);

/** Attempts, as developers see them. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
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
    index("webhook_deliveries_endpoint").on(table.endpointId, table.id),
    index("webhook_deliveries_message").on(table.endpointId, table.messageId),
  ],
);
