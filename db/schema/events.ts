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
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";
import { consents } from "./oauth";

export type EventData = Record<string, string | number | readonly string[]>;

const eventColumns = () => ({
  id: uuid().notNull(),
  type: text().notNull(),
  /** Required both when the event happened and when it is delivered. */
  scope: text(),
  at: instant().notNull(),
  /** Microseconds of the database's clock, taken under the lock of the changed row. */
  revision: bigint({ mode: "number" })
    .notNull()
    .default(sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`),
  /** The record's id in the API. */
  subject: text().notNull(),
  /** Owns the record and receives the event. */
  factionId: integer(),
  /** Owns the record. Bankers receive the event too, except without faction and application. */
  playerId: integer(),
  clientId: text(),
  grantId: uuid(),
  data: jsonb().$type<EventData>().notNull(),
});

/** Outbox. These ids are not in commit order. */
export const eventInbox = pgTable("event_inbox", {
  position: bigserial({ mode: "bigint" }).primaryKey(),
  ...eventColumns(),
});

/** Gapless, in reading order. Partitioned by number; old partitions are dropped. */
export const events = pgTable("events", {
  seq: bigint({ mode: "number" }).primaryKey(),
  ...eventColumns(),
});

/**
 * A row per epoch, which is a run of PostgreSQL: after a restore numbers repeat, so a cursor with an
 * unknown epoch is invalid. The numbering process locks the current row until the events are visible.
 */
export const eventLog = pgTable("event_log", {
  /** Random, so that it does not recur after a restore. */
  epoch: integer().primaryKey(),
  seq: bigint({ mode: "number" }).notNull(),
  /** Identity of the PostgreSQL run, the database and this table's file: a restored one differs. */
  server: text(),
  isOver: boolean().notNull().default(false),
});

/** One row per change of a consent, none while it is paused. */
export const consentPeriods = pgTable(
  "consent_periods",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    consentId: uuid()
      .notNull()
      .references(() => consents.id, { onDelete: "cascade" }),
    began: instant().notNull(),
    ended: instant(),
    scopes: text().array().notNull(),
  },
  (table) => [
    index("consent_periods_consent").on(table.consentId, table.began),
    index("consent_periods_ended").on(table.ended).where(sql`${table.ended} is not null`),
  ],
);
