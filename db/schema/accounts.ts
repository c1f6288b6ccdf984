import { boolean, index, integer, pgTable, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { players } from "./players";

const instant = () => timestamp({ withTimezone: true, mode: "date" });

/** A player who signed in here. */
export const accounts = pgTable("accounts", {
  id: uuid().primaryKey(),
  playerId: integer()
    .notNull()
    .unique()
    .references(() => players.id),
  createdAt: instant().notNull(),
  lastSignInAt: instant(),
  bannedAt: instant(),
  /** Whether the player lets their key read public data for everybody. */
  lendsKey: boolean().notNull().default(false),
});

/** A player's key for the game's API: sealed for use, fingerprinted for lookup, its last four characters for display. */
export const gameKeys = pgTable(
  "game_keys",
  {
    id: uuid().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    playerId: integer().notNull(),
    /** AES-256-GCM, bound to this row's id; null once the key is dead. */
    sealed: text(),
    fingerprint: text().notNull().unique(),
    lastFour: text().notNull(),
    level: integer().notNull(),
    type: text().notNull(),
    factionApiAccess: boolean().notNull(),
    state: text({ enum: ["active", "paused", "disabled", "dead"] }).notNull(),
    lastError: text(),
    lastOkAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [index("game_keys_account").on(table.accountId), index("game_keys_player").on(table.playerId)],
);

/** A browser in which an account is signed in. The cookie's value is never stored, only its hash. */
export const sessions = pgTable(
  "sessions",
  {
    idHash: text().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    createdAt: instant().notNull(),
    /** The last proof of identity; acts that want a fresh sign-in look here. */
    authenticatedAt: instant().notNull(),
    expiresAt: instant().notNull(),
    address: text(),
    userAgent: text(),
  },
  (table) => [index("sessions_account").on(table.accountId), index("sessions_expiry").on(table.expiresAt)],
);

/** A word to an account, shown in the portal. */
export const notices = pgTable(
  "notices",
  {
    id: uuid().primaryKey(),
    accountId: uuid()
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: text().notNull(),
    text: text().notNull(),
    createdAt: instant().notNull(),
    readAt: instant(),
  },
  (table) => [index("notices_account").on(table.accountId, table.createdAt)],
);
