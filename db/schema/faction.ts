import { and, eq, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "./instant";
import { factions, players } from "./players";

/** A named role in a faction. Leader, Co-leader and Recruit are stored like all others. */
export const factionPositions = pgTable(
  "faction_positions",
  {
    id: uuid().primaryKey(),
    factionId: integer().notNull(),
    name: text().notNull(),
    isDefault: boolean().notNull(),
    /** As the game names them. */
    abilities: text().array().notNull(),
    lastSeen: instant().notNull(),
    /** When its abilities last changed; null: not since we watch. */
    changedAt: instant(),
  },
  (table) => [unique("faction_positions_name").on(table.factionId, table.name)],
);

/** The position of the joined player's row, where it is stored. */
export const holdsPosition = and(
  eq(factionPositions.factionId, players.factionId),
  eq(factionPositions.name, players.positionName),
);

/** What says who a player is in their faction, of a player's row joined with the faction's and the position's. */
export const membershipColumns = {
  playerId: players.id,
  name: players.name,
  factionId: players.factionId,
  factionSeen: players.factionSeen,
  positionName: players.positionName,
  factionApiAccess: players.factionApiAccess,
  factionName: factions.name,
  leaderId: factions.leaderId,
  coLeaderId: factions.coLeaderId,
  leadersSeen: factions.lastRefresh,
  positionsRefreshed: factions.positionsRefreshed,
  abilities: factionPositions.abilities,
};

/** A hit on one of our members that may be answered within five minutes. */
export const retaliations = pgTable(
  "retaliations",
  {
    /** The game's code of the attack. One attack concerns one defending faction. */
    code: text().primaryKey(),
    factionId: integer().notNull(),
    attackEnded: instant().notNull(),
    defenderId: integer().notNull(),
    defenderName: text().notNull(),
    attackerId: integer().notNull(),
    attackerName: text().notNull(),
    /** When one of ours beat the attacker back; null while nobody did. */
    answeredAt: instant(),
    /** When readers of events were told that it can be answered no more. */
    closedAt: instant(),
  },
  (table) => [
    index("retaliations_open").on(table.attackEnded).where(sql`${table.closedAt} is null`),
    index("retaliations_faction").on(table.factionId, table.attackEnded),
    index("retaliations_age").on(table.attackEnded),
  ],
);

/** An organized crime of a faction, as last seen. */
export const organizedCrimes = pgTable(
  "organized_crimes",
  {
    id: integer().primaryKey(),
    factionId: integer().notNull(),
    name: text().notNull(),
    difficulty: integer().notNull(),
    status: text().notNull(),
    createdAt: instant().notNull(),
    readyAt: instant(),
    executedAt: instant(),
    expiredAt: instant(),
    lastSeen: instant().notNull(),
    /** Since when somebody holds it up; null while nobody does. */
    delayedSince: instant(),
  },
  (table) => [
    index("organized_crimes_faction").on(table.factionId, table.id),
    index("organized_crimes_age").on(table.lastSeen),
  ],
);

/** Who holds which slot of an organized crime. */
export const organizedCrimeSlots = pgTable(
  "organized_crime_slots",
  {
    crimeId: integer()
      .notNull()
      .references(() => organizedCrimes.id, { onDelete: "cascade" }),
    /** The game's own id of the slot in its crime: P1, P2, … */
    slot: text().notNull(),
    position: text().notNull(),
    /** Counts the slots of one role in one crime, from 1. */
    positionIndex: integer().notNull(),
    playerId: integer(),
    /** The member's chance in this slot, 0 … 100. */
    passRate: real(),
  },
  (table) => [primaryKey({ columns: [table.crimeId, table.slot] })],
);

/** Who held up an organized crime, and why. Rows are added and never changed: the first reason is the one that counts. */
export const organizedCrimeDelays = pgTable(
  "organized_crime_delays",
  {
    crimeId: integer().notNull(),
    slot: text().notNull(),
    playerId: integer().notNull(),
    factionId: integer().notNull(),
    position: text().notNull(),
    positionIndex: integer().notNull(),
    reason: text().notNull(),
    seenAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.crimeId, table.slot, table.playerId] }),
    // Rows never change, so that a page of them is read from the index alone, in its order.
    index("organized_crime_delays_faction").on(
      ...([table.factionId, table.crimeId, table.seenAt, table.slot, table.playerId] as const),
      ...[table.position, table.positionIndex, table.reason],
    ),
  ],
);

/** A member's request to be paid from the faction's vault. It leaves "pending" once, by one conditional UPDATE. */
export const vaultRequests = pgTable(
  "vault_requests",
  {
    /** The wid: ever-growing. */
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    guid: uuid().notNull().unique(),
    factionId: integer().notNull(),
    playerId: integer().notNull(),
    amount: bigint({ mode: "number" }).notNull(),
    currency: text({ enum: ["money_balance", "points_balance"] }).notNull(),
    status: text({ enum: ["pending", "fulfilled", "cancelled"] }).notNull(),
    requestedAt: instant().notNull(),
    /** Null: never. */
    expiresAt: instant(),
    closedAt: instant(),
    /** The player who closed it; null for the system. */
    closedBy: integer(),
    /** Whether a fulfilment was found in the vault's news. Null until it is one. */
    verification: text({ enum: ["waiting", "verified", "unverified"] }),
    /** The line of the vault's news that proved it. A line proves one request. */
    newsId: text().unique(),
    /** Where its card stands in the chat: the channel of the moment it was made, whatever becomes of the link. */
    channelId: bigint({ mode: "bigint" }),
  },
  (table) => [
    index("vault_requests_faction").on(table.factionId, table.requestedAt, table.id),
    index("vault_requests_player").on(table.playerId, table.requestedAt, table.id),
    index("vault_requests_ledger")
      .on(table.factionId, table.closedAt, table.id)
      .where(sql`${table.closedAt} is not null`),
    index("vault_requests_expiry").on(table.expiresAt).where(sql`${table.status} = 'pending'`),
    index("vault_requests_unproved")
      .on(table.closedAt)
      .where(sql`${table.verification} = 'waiting'`),
  ],
);
