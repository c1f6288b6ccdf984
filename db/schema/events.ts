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
  /** Readers need this scope both when the event happens and when it is delivered. */
  scope: text(),
  at: instant().notNull(),
  /** Microseconds of the database's clock, taken under the lock of the changed row. */
  revision: bigint({ mode: "number" })
    .notNull()
    .default(sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`),
  /** The record's id in the API. */
  subject: text().notNull(),
  /** The faction owns the record and receives the event. */
  factionId: integer(),
  /** The player that owns the record. In a faction, bankers receive the event too. */
  playerId: integer(),
  clientId: text(),
  grantId: uuid(),
  data: jsonb().$type<EventData>().notNull(),
});

/** Outbox. Positions are not in commit order. */
export const eventInbox = pgTable("event_inbox", {
  position: bigserial({ mode: "bigint" }).primaryKey(),
  ...eventColumns(),
});

/** Numbers are gapless and in reading order. Partitions are by number; old ones are dropped. */
export const events = pgTable("events", {
  seq: bigint({ mode: "number" }).primaryKey(),
  ...eventColumns(),
});

/**
 * A row per epoch, which is a run of PostgreSQL. After a restore numbers repeat, so a cursor with
 * an unknown epoch is invalid. The numbering process locks the current row until the events are
 * visible.
 */
export const eventLog = pgTable("event_log", {
  /** Random, so that no epoch recurs after a restore. */
  epoch: integer().primaryKey(),
  seq: bigint({ mode: "number" }).notNull(),
  /**
   * Identity of the PostgreSQL run, the database and this table's file; a restored database
   * differs.
   */
  server: text(),
  isOver: boolean().notNull().default(false),
});

/** One row per change of a consent. A pause has no row. */
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
