import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./instant";

export const factions = pgTable("factions", {
  id: integer().primaryKey(),
  name: text().notNull(),
  leaderId: integer(),
  coLeaderId: integer(),
  lastRefresh: instant(),
  /** Last complete listing; members are trusted only after the first one. */
  membersRefreshed: instant(),
  /** Last attempt, so that a refused listing does not block the head of the queue. */
  lastAttempt: instant(),
  positionsAttempt: instant(),
  attacksAttempt: instant(),
  crimesAttempt: instant(),
  positionsRefreshed: instant(),
  /** End of the newest attack read; the next reading begins there, inclusive. */
  attacksSeen: instant(),
  /** False if the faction still uses the old crime system. */
  crimesMigrated: boolean().notNull().default(true),
  chatServerId: bigint({ mode: "bigint" }),
  /** Channel for hits and delayed crimes, and which of them. Null: none. */
  eventsChannelId: bigint({ mode: "bigint" }),
  eventsShown: text({ enum: ["hits", "delays"] })
    .array()
    .notNull()
    .default([]),
  /** Visibility of scores from the faction's fights; with "off" none are stored. */
  statSharing: text({ enum: ["everybody", "faction", "off"] })
    .notNull()
    .default("faction"),
  /** Leader's last choice; null: default, faction only. */
  statSharingChosen: instant(),
});

/** A player of the game. Most never sign in; the others also have an account. */
export const players = pgTable(
  "players",
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    level: integer(),
    signedUp: instant(),
    /** No foreign key: a profile may name a faction that is not stored yet. */
    factionId: integer(),
    /**
     * When faction and position were last seen together; an older sighting never overwrites a newer
     * one.
     */
    factionSeen: instant(),
    /**
     * Start of the current stay in the faction and in the position; null: before observation began.
     */
    factionSince: instant(),
    positionName: text(),
    positionSince: instant(),
    /** Chat snowflake above 2^53: never a JavaScript number. Unique per player. */
    chatId: bigint({ mode: "bigint" }).unique(),
    status: text(),
    /** End of federal jail or a fall; the year 9999 means for ever. Null: neither. */
    federalUntil: instant(),
    lastAction: instant(),
    /** Last successful refresh; null for a player known only from a list. */
    lastRefresh: instant(),
    lastAttempt: instant(),
    /** Faction API Access, as of the last query of the key. */
    factionApiAccess: boolean().notNull().default(false),
  },
  (table) => [
    index("players_faction").on(table.factionId, table.id),
    index("players_readers").on(table.factionId).where(sql`${table.factionApiAccess}`),
    index("players_stalest").on(table.lastRefresh),
    // Prefix index, case-insensitive; ranges of text need byte order.
    index("players_name").on(sql`lower(${table.name}) collate "C"`, table.id),
    index("players_untried").on(table.lastAttempt.nullsFirst(), table.id),
  ],
);

export const crimeTypes = pgTable("crime_types", {
  name: text().primaryKey(),
  difficulty: integer().notNull(),
  lastSeen: instant().notNull(),
});

/** Read separately, and joined with the player's access token. */
export const ownPlayerColumns = {
  playerId: players.id,
  name: players.name,
  chatId: players.chatId,
  factionId: players.factionId,
  lastAction: players.lastAction,
  lastRefresh: players.lastRefresh,
};
