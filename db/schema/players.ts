import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./instant";

/** A club of players, as last seen in the game. */
export const factions = pgTable("factions", {
  id: integer().primaryKey(),
  name: text().notNull(),
  tag: text().notNull().default(""),
  leaderId: integer(),
  coLeaderId: integer(),
  lastRefresh: instant(),
  /** When the members were last listed completely; members are only trusted after the first listing. */
  membersRefreshed: instant(),
  /** When a listing was last tried: one that the game keeps refusing must not stand at the head of the queue for ever. */
  lastAttempt: instant(),
  /** When each kind of private data was last asked for, whatever came of it. */
  positionsAttempt: instant(),
  attacksAttempt: instant(),
  crimesAttempt: instant(),
  /** When the positions were last read completely. */
  positionsRefreshed: instant(),
  /** The end of the newest attack that was read; the next reading begins there, inclusive. */
  attacksSeen: instant(),
  /** False where the game says that the faction still has the old kind of crimes. */
  crimesMigrated: boolean().notNull().default(true),
  /** The faction's side of a link to a chat server. */
  chatServerId: bigint({ mode: "bigint" }),
  /** The channel of that server in which hits and delayed crimes are shown, and which of them. Null: nothing is shown. */
  eventsChannelId: bigint({ mode: "bigint" }),
  eventsShown: text({ enum: ["hits", "delays"] })
    .array()
    .notNull()
    .default([]),
  /** Who may see scores that the faction's fights told: everybody, the faction alone, or nobody (none are kept). */
  statSharing: text({ enum: ["everybody", "faction", "off"] })
    .notNull()
    .default("faction"),
  /** When a leader chose that; null: nobody did yet, and the faction alone sees them. */
  statSharingChosen: instant(),
});

/** Somebody in the game. Most players never sign in; those who do have an account besides. */
export const players = pgTable(
  "players",
  {
    id: integer().primaryKey(),
    name: text().notNull(),
    level: integer(),
    /** When the player came to the game. */
    signedUp: instant(),
    /** Not a foreign key: a profile names the faction before the faction itself was ever asked for. */
    factionId: integer(),
    /** When faction and position were last seen together; an older sighting never overwrites a newer one. */
    factionSeen: instant(),
    /** Since when the player is in this faction without a break, and since when in this position; null: longer than we watch. */
    factionSince: instant(),
    positionName: text(),
    positionSince: instant(),
    /** Chat snowflake above 2^53: never a JavaScript number. A chat id belongs to one player. */
    chatId: bigint({ mode: "bigint" }).unique(),
    status: text(),
    /** In federal jail, or fallen, until then; for ever is the year 9999. Null: not. */
    federalUntil: instant(),
    lastAction: instant(),
    /** Last successful refresh of the profile; null for a player known only from a list. */
    lastRefresh: instant(),
    /** When a refresh was last tried: one that the game keeps refusing must not stand at the head of the queue for ever. */
    lastAttempt: instant(),
    /** Whether the position grants Faction API Access, as the game said when the key was last asked. */
    factionApiAccess: boolean().notNull().default(false),
  },
  (table) => [
    index("players_faction").on(table.factionId, table.id),
    index("players_readers").on(table.factionId).where(sql`${table.factionApiAccess}`),
    index("players_stalest").on(table.lastRefresh),
    // Names are found by how they begin, in any case of letters; byte order, which a range of texts needs.
    index("players_name").on(sql`lower(${table.name}) collate "C"`, table.id),
    index("players_untried").on(table.lastAttempt.nullsFirst(), table.id),
  ],
);

/** The kinds of organized crime that the game knows. */
export const crimeTypes = pgTable("crime_types", {
  name: text().primaryKey(),
  difficulty: integer().notNull(),
  slots: integer().notNull(),
  lastSeen: instant().notNull(),
});

/** What a player's own record shows. It is read by itself, and along with the player's access token. */
export const ownPlayerColumns = {
  playerId: players.id,
  name: players.name,
  chatId: players.chatId,
  factionId: players.factionId,
  lastAction: players.lastAction,
  lastRefresh: players.lastRefresh,
};
