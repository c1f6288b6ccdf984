import { sql } from "drizzle-orm";
import { bigint, bigserial, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./instant";
import { consents } from "./oauth";

/** Details beside the ids, such as a reason or remaining scopes. */
export type EventData = Record<string, string | number | readonly string[]>;

const eventColumns = () => ({
  id: uuid().notNull(),
  type: text().notNull(),
  /** Scope required both when the event happened and when it is delivered. Null: none. */
  scope: text(),
  at: instant().notNull(),
  /**
   * Microseconds of the database's clock, taken under the lock of the changed row, so that
   * revisions increase.
   */
  revision: bigint({ mode: "number" })
    .notNull()
    .default(sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`),
  /** The record's id in the API; its kind follows from the type. */
  subject: text().notNull(),
  /** The faction that owns the record and receives the event. */
  factionId: integer(),
  /**
   * The member that owns the record; bankers of the faction receive it too. For a grant: its
   * player. Without faction and application: the only receiver.
   */
  playerId: integer(),
  /** For a grant: the receiving application, and the grant. */
  clientId: text(),
  grantId: uuid(),
  data: jsonb().$type<EventData>().notNull(),
});

/** Outbox: committed events without a number. These ids are not in commit order. */
export const eventInbox = pgTable("event_inbox", {
  position: bigserial({ mode: "bigint" }).primaryKey(),
  ...eventColumns(),
});

/** The log: gapless, in reading order. Partitioned by number; old partitions are dropped. */
export const events = pgTable("events", {
  seq: bigint({ mode: "number" }).primaryKey(),
  ...eventColumns(),
});

/** One row: the newest number. The numbering process locks it until the events are visible. */
export const eventLog = pgTable("event_log", {
  id: integer().primaryKey(),
  seq: bigint({ mode: "number" }).notNull(),
  /** Current epoch; cursors carry it beside the number. */
  epoch: integer().notNull(),
  /**
   * Identity of the PostgreSQL run, the database and this table's file at the last numbering. A
   * restored one differs.
   */
  server: text(),
});

/**
 * Each run of PostgreSQL starts an epoch. After a restore numbers repeat, so a cursor with an
 * unknown epoch, or beyond its epoch's end, is invalid.
 */
export const eventEpochs = pgTable("event_epochs", {
  /** Random, so that it does not recur after a restore. */
  epoch: integer().primaryKey(),
  /** Last number; null for the current epoch. */
  until: bigint({ mode: "number" }),
});

/** Scopes of a consent over time: one row per change, none while it is paused. */
export const consentPeriods = pgTable(
  "consent_periods",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    consentId: uuid()
      .notNull()
      .references(() => consents.id, { onDelete: "cascade" }),
    began: instant().notNull(),
    /** Null: current. */
    ended: instant(),
    scopes: text().array().notNull(),
  },
  (table) => [
    index("consent_periods_consent").on(table.consentId, table.began),
    index("consent_periods_ended").on(table.ended).where(sql`${table.ended} is not null`),
  ],
);
