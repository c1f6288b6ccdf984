import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./instant";

export const factions = pgTable("factions", {
  id: integer().primaryKey(),
  name: text().notNull(),
  leaderId: integer(),
  coLeaderId: integer(),
  lastRefresh: instant(),
  /** Null until all members were listed once. */
  membersRefreshed: instant(),
  /** Orders the queue, so that a refused listing does not stay at the head. */
  lastAttempt: instant(),
  positionsAttempt: instant(),
  attacksAttempt: instant(),
  crimesAttempt: instant(),
  positionsRefreshed: instant(),
  /** The next reading begins at this time, inclusive. */
  attacksSeen: instant(),
  /** False if the faction still uses the old crime system. */
  crimesMigrated: boolean().notNull().default(true),
  chatServerId: bigint({ mode: "bigint" }),
  /** Channel for hits and delayed crimes, as `eventsShown` says. Null: none. */
  eventsChannelId: bigint({ mode: "bigint" }),
  eventsShown: text({ enum: ["hits", "delays"] })
    .array()
    .notNull()
    .default([]),
  /** With "off", no stats are stored. */
  statSharing: text({ enum: ["everybody", "faction", "off"] })
    .notNull()
    .default("faction"),
  statSharingChosen: instant(),
});

export const players = pgTable(
  "players",
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    level: integer(),
    signedUp: instant(),
    /** No foreign key: a profile may name a faction that is not stored yet. */
    factionId: integer(),
    /** Guards faction and position: an older sighting never overwrites a newer one. */
    factionSeen: instant(),
    /** Null if the player joined before observation began. */
    factionSince: instant(),
    positionName: text(),
    positionSince: instant(),
    /** May exceed 2^53, so it is never a JavaScript number. */
    chatId: bigint({ mode: "bigint" }).unique(),
    status: text(),
    /** The year 9999 means for ever. */
    federalUntil: instant(),
    lastAction: instant(),
    /** Null for a player known only from a list. */
    lastRefresh: instant(),
    lastAttempt: instant(),
    /** As of the last reading of the player's key. */
    factionApiAccess: boolean().notNull().default(false),
  },
  (table) => [
    index("players_faction").on(table.factionId, table.id),
    index("players_readers").on(table.factionId).where(sql`${table.factionApiAccess}`),
    index("players_stalest").on(table.lastRefresh),
    // Prefix ranges need byte order.
    index("players_name").on(sql`lower(${table.name}) collate "C"`, table.id),
    index("players_untried").on(table.lastAttempt.nullsFirst(), table.id),
  ],
);

export const crimeTypes = pgTable("crime_types", {
  name: text().primaryKey(),
  difficulty: integer().notNull(),
  lastSeen: instant().notNull(),
});

export const ownPlayerColumns = {
  playerId: players.id,
  name: players.name,
  chatId: players.chatId,
  factionId: players.factionId,
  lastAction: players.lastAction,
  lastRefresh: players.lastRefresh,
};
