import { sql } from "drizzle-orm";
import { bigint, bigserial, index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "./instant";
import { consents } from "./oauth";

/** What an event adds to the ids: the reason of an end, the scopes that are left. */
export type EventData = Record<string, string | number | readonly string[]>;

const eventColumns = () => ({
  id: uuid().notNull(),
  type: text().notNull(),
  /** The scope that must have covered it when it happened, and must cover it when it is given. Null: none. */
  scope: text(),
  at: instant().notNull(),
  /** Microseconds of the database's clock. The row of the changed record is locked when it is taken, so that a later change has a higher one. */
  revision: bigint({ mode: "number" })
    .notNull()
    .default(sql`(extract(epoch from clock_timestamp()) * 1000000)::bigint`),
  /** The record that changed, as the API names it; its kind follows from the type. */
  subject: text().notNull(),
  /** Whose members are told, and whose record it is. */
  factionId: integer(),
  /** The member whose record it is; others of the faction are told where they are bankers. Of a grant: the player who gave it. */
  playerId: integer(),
  /** Of a grant: the application that is told, and the grant. */
  clientId: text(),
  grantId: uuid(),
  data: jsonb().$type<EventData>().notNull(),
});

/** Events of transactions that have just committed. They have no number yet: the order of these ids is not that of the commits. */
export const eventInbox = pgTable("event_inbox", {
  position: bigserial({ mode: "bigint" }).primaryKey(),
  ...eventColumns(),
});

/** The log: events in the order in which readers meet them, without gaps. Partitioned by number; old partitions are dropped. */
export const events = pgTable("events", {
  seq: bigint({ mode: "number" }).primaryKey(),
  ...eventColumns(),
});

/** One row: the number of the newest event. Who gives numbers holds the row until the events are visible. */
export const eventLog = pgTable("event_log", {
  id: integer().primaryKey(),
  seq: bigint({ mode: "number" }).notNull(),
  /** Under which numbers are given now; cursors name it beside the number. */
  epoch: integer().notNull(),
  /** The run of PostgreSQL, the database and the file of this table under which numbers were given last. A restored one differs. */
  server: text(),
});

/**
 * Epochs of the log. Where numbers are given under another run of PostgreSQL, a new one begins: if a backup was restored meanwhile, numbers
 * beyond it are given again, and a cursor of an epoch that is unknown, or beyond its end, is known to lead nowhere.
 */
export const eventEpochs = pgTable("event_epochs", {
  /** Drawn at random, so that it is not given again after a restoration. */
  epoch: integer().primaryKey(),
  /** Its last number. Null: it lasts. */
  until: bigint({ mode: "number" }),
});

/** What a consent covered, and when: one row for each change of its scopes, none while it is paused. */
export const consentPeriods = pgTable(
  "consent_periods",
  {
    id: bigserial({ mode: "bigint" }).primaryKey(),
    consentId: uuid()
      .notNull()
      .references(() => consents.id, { onDelete: "cascade" }),
    began: instant().notNull(),
    /** Null: it lasts. */
    ended: instant(),
    scopes: text().array().notNull(),
  },
  (table) => [
    index("consent_periods_consent").on(table.consentId, table.began),
    index("consent_periods_ended").on(table.ended).where(sql`${table.ended} is not null`),
  ],
);
